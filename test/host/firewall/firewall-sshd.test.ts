import { afterAll, beforeAll, expect, it } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import type { Outsider } from '../network/outsider.ts';
import { restartSsh } from '../ssh/sshd-commands.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution);

  given.describe(`the firewall of ${distribution}, with customized sshd settings`, () => {
    let cloud: Cloud;
    let outsider: Outsider;
    let host: FastHost;
    let stages: StageRunner;

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      outsider = await cloud.outsider();
      host = await cloud.bootEmpty(distribution);
      stages = await StageRunner.install(host, {});
      await apply();
    });
    afterAll(() => cloud.close());

    const apply = async () => {
      expect(await stages.run('apply', 'firewall,ban')).not.toHaveProperty('error');
    };
    const prove = () => stages.run('prove', 'firewall');
    const write = (settings: string) =>
      host.put('/etc/ssh/sshd_config.d/10-custom.conf', settings, '0600');
    const restart = () => host.output(restartSsh);
    const look = (...ports: number[]) => outsider.ports(host.addresses.v4, ports);

    it('verifies the firewall over the IP versions that sshd listens on', async () => {
      for (const settings of ['AddressFamily inet', `ListenAddress ${host.addresses.v4}`]) {
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
      expect(await host.output('ufw status')).not.toMatch(/OpenSSH|^22\/tcp/m);
      expect(await stages.run('check', 'firewall')).toMatchObject({ lines: [] });
    });

    it('loads the firewall at boot after a kill before its unit was enabled', async () => {
      await host.output('systemctl disable landfall-firewall');
      expect((await stages.run('check', 'firewall')).lines).not.toEqual([]);
      expect(await prove()).toMatchObject({ error: { code: 'FIREWALL_INVALID' } });
      await apply();
      expect(await host.output('systemctl is-enabled landfall-firewall')).toBe('enabled');
    });

    // State after a power cut on a real server: UFW's own scripts do not repair it.
    it('starts where files of a newly installed package are empty', async () => {
      const rules = '/etc/ufw/before.rules /etc/ufw/after6.rules /etc/ufw/before.init';
      await host.output(`truncate --size 0 ${rules}`);
      expect((await host.run('ufw reload')).exitCode).not.toBe(0);
      const mark = JSON.stringify({ boot: 'another', known: [] });
      await host.put('/var/lib/landfall/packages-unsettled', mark, '0644');
      const archive = '/var/cache/apt/archives/ufw_0.36.2-9_all.deb';
      await host.put('/var/lib/landfall/packages-coming', `${archive}\n`, '0644');
      await apply();
      expect(await prove()).not.toHaveProperty('error');
      for (const file of rules.split(' ')) expect(await host.output(`cat ${file}`)).not.toBe('');
    });
  });
}
