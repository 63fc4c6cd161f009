import { describe, expect, it } from 'vitest';
import { parseProcess } from '../../../../../appliance/server/host/run/process.ts';
import { findLogin } from '../../../../../appliance/server/host/sshd/ssh-login.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

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

describe('findLogin', () => {
  it('returns the connection of a command: Debian 12', async () => {
    const host = machine([
      listener,
      { pid: 60, parent: 50, name: 'sshd', start: 500, cmdline: 'sshd: ops [priv]' },
      { pid: 61, parent: 60, name: 'sshd', start: 502, cmdline: 'sshd: ops@pts/0' },
      shell,
      ...command,
    ]);
    expect(await findLogin(host, 72)).toEqual({ start: 500, from: '203.0.113.5', local: false });
  });

  it('finds sshd-session: OpenSSH 9.8 and newer', async () => {
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

  it('finds an sshd that systemd starts per connection', async () => {
    const host = machine([
      { pid: 60, parent: 1, name: 'sshd', start: 500, cmdline: 'sshd: ops [priv]' },
      { pid: 61, parent: 60, name: 'sshd', start: 502 },
      shell,
      ...command,
    ]);
    expect(await findLogin(host, 72)).toMatchObject({ start: 500 });
  });

  it('returns the first login for a second shell over the same connection', async () => {
    const host = machine([
      listener,
      { pid: 60, parent: 50, name: 'sshd', start: 500, cmdline: 'sshd: ops [priv]' },
      { pid: 61, parent: 60, name: 'sshd', start: 502 },
      { ...shell, start: 9000 },
      ...command,
    ]);
    expect(await findLogin(host, 72)).toMatchObject({ start: 500 });
  });

  it('returns undefined inside tmux, which outlives its login', async () => {
    const host = machine([
      { pid: 61, parent: 1, name: 'tmux: server', start: 100 },
      shell,
      ...command,
    ]);
    expect(await findLogin(host, 72)).toBeUndefined();
  });

  it('returns undefined on a console', async () => {
    const host = machine([{ pid: 61, parent: 1, name: 'login', start: 100 }, shell, ...command]);
    expect(await findLogin(host, 72)).toBeUndefined();
  });

  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['198.51.100.9', '198.51.100.9'],
  ])('marks a login from the server itself as local: %s', async (from, to) => {
    const host = machine([
      listener,
      { pid: 61, parent: 50, name: 'sshd', start: 502 },
      { ...shell, environ: connection(from, to) },
      ...command,
    ]);
    expect(await findLogin(host, 72)).toMatchObject({ local: true });
  });

  it('returns undefined if the processes have ended', async () => {
    expect(await findLogin(machine([]), 72)).toBeUndefined();
  });

  it('stops at a cycle of ancestors', async () => {
    const host = machine([{ pid: 72, parent: 72, name: 'node', start: 1 }]);
    expect(await findLogin(host, 72)).toBeUndefined();
  });
});

describe('parseProcess', () => {
  it('accepts a name that looks like further fields', () => {
    const text = '72 (a) R 1 (b) S 71 1 1 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4711 9 9 9\n';
    expect(parseProcess(text)).toEqual({ pid: 72, parent: 71, name: 'a) R 1 (b', start: 4711 });
  });
});
