import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workFolder } from '../../simulator/work-folder.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import type { Outsider } from '../network/outsider.ts';
import { HostBundle } from './host-bundle.ts';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution, 'registry', 'composePlugin');

  given.describe(`a fresh ${distribution} that receives its user-data`, () => {
    let cloud: Cloud;
    let outsider: Outsider;
    let host: FastHost;

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      const bundle = await HostBundle.build({
        folder: join(await workFolder(), 'bundle'),
        registry: given.registry,
        plugin: given.composePlugin,
      });
      outsider = await cloud.outsider();
      const userData = await bundle.userData({
        release: [await cloud.serveFolder(bundle.dist)],
        admin: { ssh_keys: [outsider.publicKey] },
      });
      host = await cloud.boot({ distribution, userData });
    });
    afterAll(() => cloud.close());

    it('finishes cloud-init on a fresh server without errors', async () => {
      expect(await host.cloudInit()).toBe('done');
    });

    it('downloads, verifies and activates the release', async () => {
      await host.waitFor('test -e /opt/landfall/current');
      const journal = await host.journal('landfall-boot.service');
      expect(journal).toContain('the release is verified and in place');
    });

    it('starts the program, which writes its status', async () => {
      const status = await host.waitFor('cat /run/landfall/status.json');
      expect(JSON.parse(status)).toMatchObject({ release: '0.1.0' });
    });

    it('shows that on its console', async () => {
      expect(await host.console()).toContain('landfall: the release is verified and in place');
    });

    it('installs the signed files and the Node of the bundle on a fresh server', async () => {
      const sums = 'cd /opt/landfall/current && sha256sum --strict --quiet --check';
      const list = `python3 -c "${listOfFiles}" </opt/landfall/current/release.json`;
      expect(await host.output(`${list} >/tmp/sums && ${sums} /tmp/sums`)).toBe('');
      expect(await host.output('/opt/landfall/current/runtime/node --version')).toMatch(/^v24\./);
    });

    it('installs a Compose plugin that runs on a fresh server', async () => {
      expect(await host.output('/opt/landfall/current/runtime/docker-compose version')).toMatch(
        /version v?2\./,
      );
    });

    it('stops for good with the command in the user-data, also after a reboot', async () => {
      await host.output('systemctl disable --now landfall-boot');
      // Otherwise the mark of a finished first boot could be what keeps it from starting.
      await host.output('rm -f /var/lib/landfall/installed');
      await host.reboot();
      await host.cloudInit();
      const properties = '--property=ActiveState --property=ExecMainStartTimestamp';
      const state = await host.output(`systemctl show ${properties} landfall-boot`);
      expect(state.trim().split('\n').sort()).toEqual([
        'ActiveState=inactive',
        'ExecMainStartTimestamp=',
      ]);
    });
  });
}

const listOfFiles =
  "import json, sys; [print(f['sha256'], '', f['path']) for f in json.load(sys.stdin)['files']]";
