import { afterAll, beforeAll, expect, it } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';
import { FirewallLab, hostPort } from './firewall-lab.ts';
import { publishedPort } from './published-container.ts';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution);

  given.describe(`the firewall of ${distribution}, changed manually`, () => {
    let lab: FirewallLab;

    beforeAll(async () => {
      lab = await FirewallLab.open(given.dependencies, distribution);
      await lab.apply('firewall,ban');
    });
    afterAll(() => lab?.close());

    it('opens a port for the host and for containers immediately', async () => {
      await lab.stages.run('allow', `${publishedPort}/tcp`);
      await lab.stages.run('allow', `${hostPort}/tcp`);
      const wanted = { [publishedPort]: 'open', [hostPort]: 'open' };
      for (const family of await lab.seen()) expect(family).toMatchObject(wanted);
      expect(await lab.host.output('ufw status')).toMatch(/8080\/tcp +ALLOW/);
    });

    it('closes a port, and reopens it when no new login confirms the change', async () => {
      await lab.stages.run('deny', `${publishedPort}/tcp`);
      for (const family of await lab.seen()) {
        expect(family).toMatchObject({ [publishedPort]: 'filtered' });
      }
      await lab.host.output('sh /var/lib/landfall/undo/firewall.sh');
      for (const family of await lab.seen())
        expect(family).toMatchObject({ [publishedPort]: 'open' });
      expect(await lab.host.output('ufw status')).toMatch(/8080\/tcp +ALLOW/);
    });

    it('closes a port permanently once a new login confirms', async () => {
      await lab.stages.run('deny', `${publishedPort}/tcp`);
      for (const action of ['deny', 'allow']) {
        expect(await lab.stages.run(action, '9999/tcp')).toMatchObject({
          error: { code: 'UNCONFIRMED' },
        });
      }
      const command = `${StageRunner.command} confirm`;
      const login = { user: 'root', host: lab.host.addresses.v4, command };
      expect(await lab.outsider.ssh(login)).toMatchObject({ exitCode: 0 });
      for (const family of await lab.seen()) {
        expect(family).toMatchObject({ [publishedPort]: 'filtered' });
      }
      expect(await lab.stages.run('check', 'firewall')).toMatchObject({ lines: [] });
    });

    it('never closes SSH', async () => {
      expect(await lab.stages.run('deny', '22/tcp')).toMatchObject({ error: { code: 'USAGE' } });
      expect(await lab.stages.run('deny', '20-30/tcp')).toMatchObject({ error: { code: 'USAGE' } });
    });

    it('reports ports that were opened with ufw directly', async () => {
      await lab.host.output('ufw allow 9000/tcp; ufw allow 22');
      expect(await lab.stages.run('check', 'firewall')).toMatchObject({ lines: [] });
      const { error, warned } = await lab.stages.run('prove', 'firewall');
      expect(error).toBeUndefined();
      expect(warned).toEqual([
        expect.stringMatching(/^9000\/tcp is open in UFW, .*sudo ufw delete allow 9000\/tcp\)$/),
        expect.stringMatching(/^22\/udp is open in UFW, .*sudo ufw delete allow 22\)$/),
      ]);
      await lab.host.output('ufw delete allow 9000/tcp; ufw delete allow 22');
    });

    it('closes ports in UFW that were removed from the site', async () => {
      await lab.stages.give({ site: {} });
      expect((await lab.stages.run('check', 'firewall')).lines).not.toEqual([]);
      await lab.apply('firewall,ban');
      expect(await lab.host.output('ufw status')).not.toContain('8443');
      for (const family of await lab.seen()) expect(family).toMatchObject({ 8443: 'filtered' });
      expect(await lab.stages.run('check', 'firewall')).toMatchObject({ lines: [] });
    });
  });
}
