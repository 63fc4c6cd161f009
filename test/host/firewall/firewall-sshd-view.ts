import { beforeAll, expect, it } from 'vitest';
import type { Outsider } from '../network/outsider.ts';
import { restartSsh } from '../ssh/sshd-commands.ts';
import type { FirewallLab } from './firewall-lab.ts';

/** Tests the firewall with customized settings of sshd. */
export function itFollowsSshd(lab: () => FirewallLab): void {
  let outsider: Outsider;

  beforeAll(async () => {
    outsider = await lab().cloud.outsider();
    await lab().stages.give({ site: {} });
    await apply();
  });

  const apply = () => lab().apply('firewall,ban');
  const prove = () => lab().stages.run('prove', 'firewall');
  const write = (settings: string) =>
    lab().host.put('/etc/ssh/sshd_config.d/10-custom.conf', settings, '0600');
  const restart = () => lab().host.output(restartSsh);
  const look = (...ports: number[]) => outsider.ports(lab().host.addresses.v4, ports);

  it('verifies the firewall over the IP versions that sshd listens on', async () => {
    for (const settings of ['AddressFamily inet', `ListenAddress ${lab().host.addresses.v4}`]) {
      await write(`${settings}\n`);
      await restart();
      expect(await prove()).not.toHaveProperty('error');
    }
    await write('');
    await restart();
  });

  it('keeps the old port open only until sshd is restarted', async () => {
    await write('Port 2222\n');
    await apply();
    expect(await look(22)).toEqual({ 22: 'open' });
    await restart();
    await apply();
    expect(await look(22, 2222)).toEqual({ 22: 'filtered', 2222: 'open' });
    expect(await lab().host.output('ufw status')).not.toMatch(/OpenSSH|^22\/tcp/m);
    expect(await lab().stages.run('check', 'firewall')).toMatchObject({ lines: [] });
  });

  it('loads the firewall at boot after a kill before its unit was enabled', async () => {
    await lab().host.output('systemctl disable landfall-firewall');
    expect((await lab().stages.run('check', 'firewall')).lines).not.toEqual([]);
    expect(await prove()).toMatchObject({ error: { code: 'FIREWALL_INVALID' } });
    await apply();
    expect(await lab().host.output('systemctl is-enabled landfall-firewall')).toBe('enabled');
  });

  // State after a power cut on a real server: UFW's own scripts do not repair it.
  it('starts where files of a newly installed package are empty', async () => {
    const rules = '/etc/ufw/before.rules /etc/ufw/after6.rules /etc/ufw/before.init';
    await lab().host.output(`truncate --size 0 ${rules}`);
    expect((await lab().host.run('ufw reload')).exitCode).not.toBe(0);
    const mark = JSON.stringify({ boot: 'another', known: [] });
    await lab().host.put('/var/lib/landfall/packages-unsettled', mark, '0644');
    const archive = '/var/cache/apt/archives/ufw_0.36.2-9_all.deb';
    await lab().host.put('/var/lib/landfall/packages-coming', `${archive}\n`, '0644');
    await apply();
    expect(await prove()).not.toHaveProperty('error');
    for (const file of rules.split(' '))
      expect(await lab().host.output(`cat ${file}`)).not.toBe('');
  });
}
