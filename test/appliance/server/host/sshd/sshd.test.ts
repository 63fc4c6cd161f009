import { existsSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkSshdSettings, sshdSettings } from '../../../../../appliance/server/host/sshd/sshd.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

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

const machine = (sshd: string) => TemporaryHost.with({}, { '/usr/sbin/sshd -T': sshd });

describe('the settings of sshd', () => {
  it('returns the effective settings of sshd, with all values of a keyword', async () => {
    const settings = await sshdSettings(machine(debian));
    expect(settings.get('permitrootlogin')).toEqual(['without-password']);
    expect(settings.get('subsystem')).toEqual(['sftp /usr/lib/openssh/sftp-server']);
    expect(settings.get('hostkey')).toHaveLength(2);
    expect(settings.get('requiredrsasize')).toBeUndefined();
  });

  it('queries the settings of sshd with all criteria of Match', async () => {
    const host = machine(debian);
    await sshdSettings(host, { user: 'ops', address: '203.0.113.7' });
    expect(host.ran.at(-1)).toBe(
      '/usr/sbin/sshd -T -C user=ops,host=203.0.113.7,addr=203.0.113.7,laddr=203.0.113.7,lport=22',
    );
  });

  it('runs sshd again if systemd removed its folder', async () => {
    let folder = '';
    const host: TemporaryHost = TemporaryHost.with(
      {},
      {
        '/usr/sbin/sshd -T': () => {
          if (folder !== '') return debian;
          // As systemd does when the last login of a socket-activated sshd ends.
          folder = host.path('run/sshd');
          rmSync(folder, { recursive: true });
          return 255;
        },
      },
    );
    expect((await sshdSettings(host)).get('port')).toEqual(['22']);
    expect(existsSync(folder)).toBe(true);
  });

  it('reports settings that sshd rejects', async () => {
    const host = TemporaryHost.with({}, { '/usr/sbin/sshd -t': 255 });
    await expect(checkSshdSettings(host)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });
});
