import { describe, expect, it } from 'vitest';
import { parseProcess } from '../../../../appliance/host/run/process.ts';
import { findLogin } from '../../../../appliance/host/sshd/ssh-login.ts';
import { TemporaryHost } from '../../temporary-host.ts';

interface Fake {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly start: number;
  readonly cmdline?: string;
  readonly environ?: string;
}

const connection = (from: string, to = '198.51.100.9') =>
  `LANG=C\0SSH_CONNECTION=${from} 50122 ${to} 22\0SHELL=/bin/bash\0`;

function machine(processes: readonly Fake[]): TemporaryHost {
  const files: Record<string, string> = {};
  for (const { pid, parent, name, start, cmdline = name, environ = '' } of processes) {
    files[`proc/${pid}/stat`] =
      `${pid} (${name}) S ${parent} 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 ${start} 9 9 9`;
    files[`proc/${pid}/cmdline`] = `${cmdline}\0`;
    files[`proc/${pid}/environ`] = environ;
  }
  return TemporaryHost.with(files);
}

const listener = {
  pid: 50,
  parent: 1,
  name: 'sshd',
  start: 10,
  cmdline: 'sshd: /usr/sbin/sshd -D [listener] 0 of 10-100 startups',
};
const shell = { pid: 62, parent: 61, name: 'bash', start: 503, environ: connection('203.0.113.5') };
const command = [
  { pid: 70, parent: 62, name: 'sudo', start: 900 },
  { pid: 71, parent: 70, name: 'sudo', start: 901 },
  { pid: 72, parent: 71, name: 'node', start: 902 },
];

describe('the login that a command belongs to', () => {
  it('is the connection, not the command: Debian 12', async () => {
    const host = machine([
      listener,
      { pid: 60, parent: 50, name: 'sshd', start: 500, cmdline: 'sshd: ops [priv]' },
      { pid: 61, parent: 60, name: 'sshd', start: 502, cmdline: 'sshd: ops@pts/0' },
      shell,
      ...command,
    ]);
    expect(await findLogin(host, 72)).toEqual({ start: 500, from: '203.0.113.5', local: false });
  });

  it('is found where the connection has a program of its own: OpenSSH 9.8 and newer', async () => {
    const host = machine([
      listener,
      {
        pid: 60,
        parent: 50,
        name: 'sshd-session',
        start: 500,
        cmdline: 'sshd-session: ops [priv]',
      },
      { pid: 61, parent: 60, name: 'sshd-session', start: 502 },
      shell,
      ...command,
    ]);
    expect(await findLogin(host, 72)).toMatchObject({ start: 500 });
  });

  it('is found where systemd starts an sshd for each connection', async () => {
    const host = machine([
      { pid: 60, parent: 1, name: 'sshd', start: 500, cmdline: 'sshd: ops [priv]' },
      { pid: 61, parent: 60, name: 'sshd', start: 502 },
      shell,
      ...command,
    ]);
    expect(await findLogin(host, 72)).toMatchObject({ start: 500 });
  });

  it('is the old one for a second shell through the same connection', async () => {
    const host = machine([
      listener,
      { pid: 60, parent: 50, name: 'sshd', start: 500, cmdline: 'sshd: ops [priv]' },
      { pid: 61, parent: 60, name: 'sshd', start: 502 },
      { ...shell, start: 9000 },
      ...command,
    ]);
    expect(await findLogin(host, 72)).toMatchObject({ start: 500 });
  });

  it('is nobody inside of tmux, which outlives its login', async () => {
    const host = machine([
      { pid: 61, parent: 1, name: 'tmux: server', start: 100 },
      shell,
      ...command,
    ]);
    expect(await findLogin(host, 72)).toBeUndefined();
  });

  it('is nobody on a console', async () => {
    const host = machine([{ pid: 61, parent: 1, name: 'login', start: 100 }, shell, ...command]);
    expect(await findLogin(host, 72)).toBeUndefined();
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['198.51.100.9', '198.51.100.9'],
  ])('is local when it comes from the server itself: %s', async (from, to) => {
    const host = machine([
      listener,
      { pid: 61, parent: 50, name: 'sshd', start: 502 },
      { ...shell, environ: connection(from, to) },
      ...command,
    ]);
    expect(await findLogin(host, 72)).toMatchObject({ local: true });
  });

  it('is nobody when the processes are gone', async () => {
    expect(await findLogin(machine([]), 72)).toBeUndefined();
  });

  it('ends where a process would be its own ancestor', async () => {
    const host = machine([{ pid: 72, parent: 72, name: 'node', start: 1 }]);
    expect(await findLogin(host, 72)).toBeUndefined();
  });
});

describe('a process', () => {
  it('may have a name that looks like more fields', () => {
    const text = '72 (a) R 1 (b) S 71 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 9 9 9\n';
    expect(parseProcess(text)).toEqual({ pid: 72, parent: 71, name: 'a) R 1 (b', start: 4711 });
  });
});
