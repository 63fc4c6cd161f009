import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Status } from '../../../appliance/server/progress/status.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { Outsider } from '../network/outsider.ts';
import { itSeesClientAddresses } from './client-address-view.ts';
import {
  type FirstBootObservations,
  itShowedItsProgress,
  observeFirstBoot,
} from './first-boot-page.ts';
import { chatName, chatSite, chatUrl } from './first-booted.ts';
import { HostBundle } from './host-bundle.ts';
import { itExposesOnlyOpenPorts } from './outside-view.ts';
import { Premises } from './premises.ts';
import { itReportsItsActualState } from './report-view.ts';
import { itSurvivesRestarts } from './restarts-view.ts';
import { itReportsItsCurrentState } from './status-view.ts';
import { itStartsTheProgram, itStopsForGood } from './user-data-view.ts';

for (const distribution of distributions(['debian13', 'debian12', 'ubuntu-like'])) {
  const given = hostNeeds(distribution, 'registry', 'composePlugin');

  given.describe(`the first boot of a fresh ${distribution}`, () => {
    let premises: Premises;
    let early: FirstBootObservations;
    let status: Status;

    beforeAll(async () => {
      const { dependencies, registry, composePlugin: plugin } = given;
      const folder = join(await workFolder(), 'bundle');
      // In parts, because the other tests of whole servers use one file.
      const bundle = await HostBundle.shipped({ registry, plugin, folder, maxPartSize: '20MB' });
      premises = await Premises.open({ dependencies, distribution, bundle, site: chatSite });
      early = await observeFirstBoot(premises);
      status = await premises.comeUp();
    });
    afterAll(() => premises?.close());

    const run = (command: string) => premises.host.run(command);
    const output = (command: string) => premises.host.output(command);
    const failedUnits = () => output('systemctl --failed --plain --no-legend');

    it('finishes every stage, with a report', async () => {
      expect(status.stages.map(({ state }) => state)).not.toContain('failed');
      expect(await output('systemctl is-active landfall-boot || true')).not.toBe('failed');
      expect(await run('test -e /var/lib/landfall/installed')).toMatchObject({ exitCode: 0 });
      console.log(await output('cat /var/lib/landfall/report.txt'));
    });

    it('downloads the parts of its bundle', async () => {
      const { dist, archive } = premises.bundle;
      const names = (await readdir(dist)).filter((name) => name.startsWith(archive));
      expect(names).toContain(`${archive}.002`);
      expect(names).not.toContain(archive);
      const settings = JSON.parse(await output('cat /etc/landfall/boot.json'));
      expect(settings.parts).toEqual({ amd64: 20_000_000 });
      expect(await premises.host.journal('landfall-boot.service')).not.toContain('rejected');
    });

    it('leaves no failed service behind', async () => {
      expect(await failedUnits()).toBe('');
    });

    it('enables a standard UFW firewall at the first boot', async () => {
      const text = await output('ufw status verbose');
      expect(text).toContain('Status: active');
      expect(text).toMatch(/Default: deny \(incoming\)/);
      for (const port of ['80/tcp', '443/tcp']) expect(text).toMatch(new RegExp(`${port}.*ALLOW`));
      expect(text).toMatch(/(22\/tcp|OpenSSH).*ALLOW/);
    });

    describe('while it runs', () => itShowedItsProgress(() => early));

    describe('in its report', () => itReportsItsActualState(() => premises));

    describe('seen from outside', () => {
      let stranger: Outsider;
      beforeAll(async () => {
        stranger = await premises.cloud.outsider();
      });

      itExposesOnlyOpenPorts(() => premises);

      it("accepts the administrator's key, with sudo", async () => {
        const ran = await premises.asAdministrator('id -un && sudo -n id -un');
        expect(ran).toMatchObject({ exitCode: 0, stdout: 'ops\nroot\n' });
      });

      it('disables colours on request, also through sudo', async () => {
        const ran = await premises.asAdministrator('NO_COLOR=1 landfall report --json');
        expect(ran).toMatchObject({ exitCode: 0, stderr: '' });
      });

      it.each(['root', 'ops'])('rejects passwords from %s', async (user) => {
        const login = { user, host: premises.host.addresses.v4, with: { password: 'letmein' } };
        const ran = await stranger.ssh(login);
        expect(ran).toMatchObject({ exitCode: 255 });
        expect(ran.stderr).toContain('Permission denied (publickey)');
      });

      it("rejects root with the administrator's key too", async () => {
        const ran = await premises.administrator.ssh({
          user: 'root',
          host: premises.host.addresses.v6,
        });
        expect(ran).toMatchObject({ exitCode: 255 });
      });

      it('serves the chat UI over TLS under its name', async () => {
        expect(await premises.administrator.fetch(chatUrl)).toMatchObject({ status: 200 });
      });

      itSeesClientAddresses(() => premises, chatName);

      it('does not route to the addresses of containers', async () => {
        const format = '{{range .NetworkSettings.Networks}}{{println .IPAddress}}{{end}}';
        const list = await output(`docker inspect --format '${format}' landfall-gateway`);
        for (const container of list.split('\n').filter(Boolean)) {
          const subnet = container.replace(/\d+$/, '0/24');
          await stranger.routeThrough(subnet, premises.host.addresses.v4);
          const seen = await stranger.ports(container, [80, 443, 8080, 8443]);
          expect(Object.values(seen)).not.toContain('open');
        }
      });
    });

    describe('a container', () => {
      it('blocks the metadata address for containers, but not for the server itself', async () => {
        const neighbour = await premises.cloud.outsider();
        await neighbour.run('ip address add 169.254.169.254/32 dev eth0');
        await neighbour.run('setsid python3 -m http.server 80 >/dev/null 2>&1 &');
        await output('ip route replace 169.254.169.254/32 dev eth0');
        await premises.host.waitFor('curl -so /dev/null -m 2 http://169.254.169.254/', 60);
        for (const name of ['landfall-gateway', 'landfall-engine', 'landfall-ui']) {
          const asking = `docker exec ${name} wget -q -O- -T 3 http://169.254.169.254/`;
          expect((await run(asking)).exitCode, name).not.toBe(0);
        }
      });
    });

    describe('when queried', () => itReportsItsCurrentState(() => premises));

    // `finished.test.ts` tests the same on Debian 13.
    if (distribution === 'debian12') {
      itStartsTheProgram(() => premises);
      itSurvivesRestarts(() => premises);
      itStopsForGood(() => premises);
    }
  });
}
