import { describe, expect, it } from 'vitest';
import { sshdSettings, sshListeners, sshPorts } from '../../../appliance/host/sshd.ts';
import { TemporaryHost } from '../temporary-host.ts';

const inactive = 'ActiveState=inactive\n';
const debian = [
  'port 22',
  'listenaddress [::]:22',
  'listenaddress 0.0.0.0:22',
  'permitrootlogin without-password',
  'subsystem sftp /usr/lib/openssh/sftp-server',
  'banner none',
  'hostkey /etc/ssh/ssh_host_ed25519_key',
  'hostkey /etc/ssh/ssh_host_rsa_key',
  '',
].join('\n');

const machine = (sshd: string, socket = inactive) =>
  TemporaryHost.with({}, { '/usr/sbin/sshd -T': sshd, 'systemctl show': socket });

describe('the settings of sshd', () => {
  it('are those in effect, several where there are several', async () => {
    const settings = await sshdSettings(machine(debian));
    expect(settings.get('permitrootlogin')).toEqual(['without-password']);
    expect(settings.get('subsystem')).toEqual(['sftp /usr/lib/openssh/sftp-server']);
    expect(settings.get('hostkey')).toHaveLength(2);
    expect(settings.get('requiredrsasize')).toBeUndefined();
  });

  it('are asked for with everything that a Match can look at', async () => {
    const host = machine(debian);
    await sshdSettings(host, { user: 'ops', address: '203.0.113.7' });
    expect(host.ran.at(-1)).toBe(
      '/usr/sbin/sshd -T -C user=ops,host=203.0.113.7,addr=203.0.113.7,laddr=203.0.113.7,lport=22',
    );
  });
});

describe('the port of SSH', () => {
  it('is what sshd says', async () => {
    expect(await sshPorts(machine(debian))).toEqual([22]);
  });

  it('is that of each address, whatever else is written', async () => {
    const sshd = 'port 22\nlistenaddress 192.0.2.1:2222\nlistenaddress [2001:db8::1]:22\n';
    const host = machine(sshd);
    expect(await sshPorts(host)).toEqual([22, 2222]);
    expect(await sshListeners(host)).toEqual([
      { address: '192.0.2.1', port: 2222 },
      { address: '2001:db8::1', port: 22 },
    ]);
  });

  it('is that of the socket where systemd holds it, as on Ubuntu 24.04', async () => {
    const socket = 'Listen=0.0.0.0:2200 (Stream)\nListen=[::]:2200 (Stream)\nActiveState=active\n';
    expect(await sshPorts(machine(debian, socket))).toEqual([2200]);
  });

  it('is not that of a socket that is not used, as on Debian', async () => {
    const socket = 'Listen=[::]:2200 (Stream)\nActiveState=inactive\n';
    expect(await sshPorts(machine(debian, socket))).toEqual([22]);
  });

  it('is not that of a socket which only this machine can reach', async () => {
    const socket = 'Listen=/run/sshd.sock (Stream)\nActiveState=active\n';
    expect(await sshPorts(machine(debian, socket))).toEqual([22]);
  });
});
