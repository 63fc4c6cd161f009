import { beforeAll, describe, expect, it } from 'vitest';
import { imageOf } from '../../appliance/context.ts';
import type { StageServer } from './stage-server.ts';

const packages = 'dpkg-query --show | sha256sum';

/** Tests the preflight of a fresh server, which changes nothing on it. */
export function itPassesThePreflight(server: () => StageServer): void {
  const site = () => ({ release: [`${server().cloud.packages}/`] });
  const messages = async () =>
    (await server().stages.run('apply', 'preflight')).error?.problems.map(({ message }) => message);

  beforeAll(() => server().stages.give({ site: site() }));

  it('passes in a container with the required privileges', async () => {
    expect((await server().stages.run('check', 'preflight')).lines).toEqual([
      expect.stringMatching(/^plan the disk: /),
    ]);
    expect(await server().stages.run('apply', 'preflight')).not.toHaveProperty('error');
  });

  it('leaves only the plan of the disk behind', async () => {
    expect(await server().host.output('ls /var/lib/landfall')).toBe('disk-plan.json');
    expect(await server().host.output('ip -o link | grep -c landfall || true')).toBe('0');
  });

  describe('with a web server, another Docker, unresolvable names and a huge model', () => {
    let before: string;

    beforeAll(async () => {
      before = await server().host.output(packages);
      await server().host.output('systemd-run --unit=squatter python3 -m http.server 443');
      await server().host.waitFor('ss -Htln sport = :443 | grep -q LISTEN');
      await server().host.put('/usr/local/bin/k3s', '', '0755');
      await server().stages.give({
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
      expect(await server().host.output(packages)).toBe(before);
    });

    it('passes when the problems are fixed', async () => {
      await server().host.output('systemctl stop squatter && rm /usr/local/bin/k3s');
      await server().stages.give({ site: site(), release: { version: '2.0.0' } });
      expect(await server().stages.run('apply', 'preflight')).not.toHaveProperty('error');
    });
  });

  it('rejects a release for another architecture, or from the future', async () => {
    const created = new Date(Date.now() + 3600_000).toISOString();
    await server().stages.give({ site: site(), release: { arch: 'arm64', created } });
    expect(await messages()).toEqual([
      'wrong architecture: the server is amd64, the release is for arm64',
      expect.stringMatching(/^the clock is wrong: it shows /),
    ]);
  });
}
