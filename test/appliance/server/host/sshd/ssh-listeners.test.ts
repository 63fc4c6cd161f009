import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import {
  answeringListeners,
  sshListeners,
  sshPorts,
} from '../../../../../appliance/server/host/sshd/ssh-listeners.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

const debian = 'port 22\nlistenaddress [::]:22\nlistenaddress 0.0.0.0:22\n';

const machine = (
  sshd: string,
  socket = 'ActiveState=inactive\n',
  more: Answers = {},
  files: Readonly<Record<string, string>> = {},
) =>
  TemporaryHost.with(files, {
    '/usr/sbin/sshd -T': sshd,
    'systemctl show --property=ActiveState,Listen': socket,
    'systemctl show --property=MainPID': '0\n',
    ...more,
  });

describe('the port of SSH', () => {
  it('returns the SSH port in the settings of sshd', async () => {
    expect(await sshPorts(machine(debian))).toEqual([22]);
  });

  it('returns the SSH port of every address in the settings', async () => {
    const sshd = 'port 22\nlistenaddress 192.0.2.1:2222\nlistenaddress [2001:db8::1]:22\n';
    const host = machine(sshd);
    expect(await sshPorts(host)).toEqual([22, 2222]);
    expect(await sshListeners(host)).toEqual([
      { address: '192.0.2.1', port: 2222 },
      { address: '2001:db8::1', port: 22 },
    ]);
  });

  it('returns the SSH port of the systemd socket, as on Ubuntu 24.04', async () => {
    const socket =
      'Listen=0.0.0.0:2200 (Stream)\nListen=[::]:2200 (Stream)\nBindIPv6Only=ipv6-only\nActiveState=active\n';
    expect(await sshPorts(machine(debian, socket))).toEqual([2200]);
    expect(await sshListeners(machine(debian, socket))).toEqual([
      { address: '0.0.0.0', port: 2200 },
      { address: '::', port: 2200 },
    ]);
  });

  it('returns one SSH listener for both IP versions if the socket accepts both, as on Debian', async () => {
    const socket = 'Listen=[::]:22 (Stream)\nBindIPv6Only=default\nActiveState=active\n';
    expect(await sshListeners(machine(debian, socket))).toEqual([{ address: '*', port: 22 }]);
  });

  it('ignores the SSH port of an inactive socket, as on Debian', async () => {
    const socket = 'Listen=[::]:2200 (Stream)\nActiveState=inactive\n';
    expect(await sshPorts(machine(debian, socket))).toEqual([22]);
  });

  it('ignores a socket on loopback', async () => {
    const socket = 'Listen=/run/sshd.sock (Stream)\nActiveState=active\n';
    expect(await sshPorts(machine(debian, socket))).toEqual([22]);
  });
});

describe('an sshd that was not restarted after a change of its settings', () => {
  /** Output of ss on Debian 12 and 13. */
  const sockets = `LISTEN 0 128 0.0.0.0:22 0.0.0.0:* users:(("sshd",pid=501,fd=3))
LISTEN 0 128 127.0.0.1:6010 0.0.0.0:* users:(("sshd",pid=5010,fd=9))
LISTEN 0 511 0.0.0.0:9000 0.0.0.0:* users:(("sshd",pid=5011,fd=7))
LISTEN 0 128 [::]:22 [::]:* users:(("sshd",pid=501,fd=4))
`;
  const moved = 'listenaddress [::]:2222\nlistenaddress 0.0.0.0:2222\n';
  const now: Answers = { 'systemctl show --property=MainPID': '501\n', ss: sockets };

  it('returns the old and the new port of an sshd that was not restarted after a change', async () => {
    expect(await sshPorts(machine(moved, undefined, now))).toEqual([22, 2222]);
  });

  it('answers on the old port, without port forwardings of users', async () => {
    expect(await answeringListeners(machine(moved, undefined, now))).toEqual([
      { address: '0.0.0.0', port: 22 },
      { address: '::', port: 22 },
    ]);
  });

  it('answers on the configured port while it does not run', async () => {
    expect(await answeringListeners(machine(moved))).toEqual([
      { address: '::', port: 2222 },
      { address: '0.0.0.0', port: 2222 },
    ]);
  });

  it('uses the settings if ss is not installed', async () => {
    const host = machine(moved, undefined, now);
    const run = host.run.bind(host);
    host.run = async (file, args, options) => {
      if (file === 'ss') throw new LandfallError('TOOL_MISSING', 'the program ss is not here');
      return await run(file, args, options);
    };
    expect(await sshPorts(host)).toEqual([2222]);
  });
});

describe('a socket that Ubuntu generates from the settings of sshd', () => {
  const generator = { 'usr/lib/systemd/system-generators/sshd-socket-generator': '' };
  const generated = { 'run/systemd/generator/ssh.socket.d/addresses.conf': '[Socket]\n' };
  const moved = 'listenaddress [::]:2222\nlistenaddress 0.0.0.0:2222\n';
  const held = (port: number) =>
    `Listen=0.0.0.0:${port} (Stream)\nListen=[::]:${port} (Stream)\nBindIPv6Only=ipv6-only\nActiveState=active\n`;

  it('returns the current and the new port of a generated socket before a restart', async () => {
    const host = machine(moved, held(22), {}, generator);
    expect(await sshPorts(host)).toEqual([22, 2222]);
    expect(await answeringListeners(host)).toEqual([
      { address: '0.0.0.0', port: 22 },
      { address: '::', port: 22 },
    ]);
  });

  it('returns the current port and port 22 if sshd was moved back to port 22', async () => {
    const host = machine(debian, held(2222), {}, { ...generator, ...generated });
    expect(await sshPorts(host)).toEqual([22, 2222]);
  });

  it('returns only the port of a manually edited socket unit', async () => {
    expect(await sshPorts(machine(debian, held(2222), {}, generator))).toEqual([2222]);
  });

  it('does not exist on Debian, where the settings of sshd do not affect the socket', async () => {
    expect(await sshPorts(machine(moved, held(22)))).toEqual([22]);
  });
});
