import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { imageOf } from '../../appliance/context.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';

const packages = 'dpkg-query --show | sha256sum';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution);

  given.describe(`the preflight of a fresh ${distribution}`, () => {
    let cloud: Cloud;
    let host: FastHost;
    let stages: StageRunner;
    const site = () => ({ release: [`${cloud.packages}/`] });
    const messages = async () =>
      (await stages.run('apply', 'preflight')).error?.problems.map(({ message }) => message);

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      host = await cloud.bootEmpty(distribution);
      stages = await StageRunner.install(host, site());
    });
    afterAll(() => cloud.close());

    it('passes in a container with the required privileges', async () => {
      expect((await stages.run('check', 'preflight')).lines).toEqual([
        expect.stringMatching(/^plan the disk: /),
      ]);
      expect(await stages.run('apply', 'preflight')).not.toHaveProperty('error');
    });

    it('leaves only the plan of the disk behind', async () => {
      expect(await host.output('ls /var/lib/landfall')).toBe('disk-plan.json');
      expect(await host.output('ip -o link | grep -c landfall || true')).toBe('0');
    });

    describe('with a web server, another Docker, unresolvable names and a huge model', () => {
      let before: string;

      beforeAll(async () => {
        before = await host.output(packages);
        await host.output('systemd-run --unit=squatter python3 -m http.server 443');
        await host.waitFor('ss -Htln sport = :443 | grep -q LISTEN');
        await host.put('/usr/local/bin/k3s', '', '0755');
        await stages.give({
          site: { mirrors: { apt: 'http://unresolvable.invalid/debian' }, models: ['vast:4000b'] },
          release: {
            version: '2.0.0',
            models: [{ name: 'vast:4000b', role: 'chat', manifest: null, size: null }],
            images: [imageOf('ui', 1e9)],
          },
        });
      });

      it('reports all problems at once', async () => {
        expect((await messages())?.sort()).toEqual([
          expect.stringMatching(/^DNS resolution failed: unresolvable\.invalid$/),
          'k3s is installed',
          expect.stringMatching(/^not enough disk space: .* free, 2\.6 TB needed$/),
          expect.stringMatching(/^not enough memory for vast:4000b: it needs about 2\.6 TB/),
          expect.stringMatching(/^port 443 is already used by python3 \(process \d+\)$/),
        ]);
      });

      it('installed nothing', async () => {
        expect(await host.output(packages)).toBe(before);
      });

      it('passes when the problems are fixed', async () => {
        await host.output('systemctl stop squatter && rm /usr/local/bin/k3s');
        await stages.give({ site: site(), release: { version: '2.0.0' } });
        expect(await stages.run('apply', 'preflight')).not.toHaveProperty('error');
      });
    });

    it('rejects a release for another architecture, or from the future', async () => {
      const created = new Date(Date.now() + 3600_000).toISOString();
      await stages.give({ site: site(), release: { arch: 'arm64', created } });
      expect(await messages()).toEqual([
        'wrong architecture: the server is amd64, the release is for arm64',
        expect.stringMatching(/^the clock is wrong: it shows /),
      ]);
    });
  });
}
