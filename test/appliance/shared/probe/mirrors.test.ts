import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mirrorPresets } from '#contract/mirror-presets.ts';
import { checkSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';
import { chooseProxy } from '#http/proxy.ts';
import {
  mirrorsFromFlags,
  mirrorTargets,
  probeMirrors,
} from '../../../../appliance/shared/probe/mirrors.ts';
import type { Handler } from '../../../faulty-server/faulty-server.ts';
import { ProbeRig } from './rig.ts';

let rig: ProbeRig;
beforeEach(() => {
  rig = new ProbeRig();
});
afterEach(() => rig.close());

/** A server with the archives of Debian and Ubuntu, a registry, a hub, npm and PyPI. */
const statuses: Readonly<Record<string, number>> = {
  '/debian/dists/stable/InRelease': 200,
  '/debian-security/dists/stable-security/InRelease': 200,
  '/ubuntu/dists/noble/InRelease': 200,
  '/v2/': 401,
  '/github.com/docker/compose/releases/latest/download/checksums.txt': 302,
  '/api/models?limit=1': 200,
  '/-/ping': 200,
  '/simple/pip/': 301,
};
const mirrorSite: Handler = ({ request, response }) =>
  void response.writeHead(statuses[request.url ?? ''] ?? 404).end();

/** Returns every kind of mirror at one origin. */
function allAt(origin: string) {
  return siteSchema.shape.mirrors.parse({
    apt: `${origin}/debian`,
    apt_security: `${origin}/debian-security/`,
    registries: { 'docker.io': origin },
    models: origin,
    github: `${origin}/github.com`,
    hub: origin,
    npm: origin,
    pip: `${origin}/simple`,
  });
}

async function probed(
  mirrors: ReturnType<typeof allAt>,
  proxy?: string,
  limits = { connect: 1000, answer: 1000 },
) {
  const network = await rig.network({}, limits);
  return await probeMirrors(mirrorTargets(mirrors), network, (url) =>
    proxy === undefined ? undefined : chooseProxy(url, { proxy }),
  );
}

describe('a test of mirrors', () => {
  it('passes if every mirror answers as its kind does', async () => {
    const { origin } = await rig.plain(mirrorSite);
    const reports = await probed(allAt(origin));
    expect(reports.map(({ field, works }) => [field, works])).toEqual([
      ['mirrors.apt', true],
      ['mirrors.apt_security', true],
      ['mirrors.registries.docker.io', true],
      ['mirrors.models', true],
      ['mirrors.github', true],
      ['mirrors.hub', true],
      ['mirrors.npm', true],
      ['mirrors.pip', true],
    ]);
  });

  /** A mirror that serves listed images only, with an anonymous token. */
  const listed: Handler = ({ request, response }) => {
    const { host = '', authorization } = request.headers;
    const { pathname, searchParams } = new URL(request.url ?? '/', `http://${host}`);
    if (pathname === '/token') {
      const token = `token-for-${searchParams.get('scope')}`;
      return void response.writeHead(200).end(JSON.stringify({ token }));
    }
    const [, repository = ''] = /^\/v2\/(?:hub\/)?(.+)\/manifests\/sha256:/.exec(pathname) ?? [];
    const scope = `repository:${repository}:pull`;
    if (authorization !== `Bearer token-for-${scope}`) {
      const challenge = `Bearer realm="http://${host}/token",service="mirror",scope="${scope}"`;
      return void response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    response.writeHead(repository === 'library/nginx' ? 200 : 403).end();
  };

  it.each(['', '/hub', '/v2/hub'])(
    'names each image that a mirror of a registry at %s lacks, although it answers /v2/',
    async (path) => {
      const { origin } = await rig.plain(listed);
      const digest = `sha256:${'a'.repeat(64)}`;
      const image = (repository: string) => ({ registry: 'docker.io', repository, digest });
      const inputs = {
        mirrors: siteSchema.shape.mirrors.parse({ registries: { 'docker.io': origin + path } }),
        images: [image('library/nginx'), image('kalaksi/tinyproxy')],
        ...{ route: {}, env: {}, askPassword: undefined },
      };
      const { text, exitCode } = await mirrorsFromFlags({}, inputs);
      expect(text).toMatch(/registries\.docker\.io: library\/nginx +\S+ +works/);
      expect(text).toMatch(/registries\.docker\.io: kalaksi\/tinyproxy +\S+ +FAILED: status 403/);
      expect(exitCode).toBe(5);
    },
  );

  it('accepts an image that one of the mirrors of its registry has', async () => {
    const [one, two] = [await rig.plain(listed), await rig.plain(mirrorSite)];
    const image = { registry: 'docker.io', repository: 'library/nginx', digest: 'sha256:0' };
    const mirrors = siteSchema.shape.mirrors.parse({
      registries: { 'docker.io': [two.origin, one.origin] },
    });
    const network = await rig.network({});
    const reports = await probeMirrors(mirrorTargets(mirrors, [image]), network);
    expect(reports).toMatchObject([{ works: true, image: 'library/nginx' }]);
    expect(reports[0]?.url).toContain(one.origin);
  });

  it('accepts an archive of Ubuntu as the archive of the distribution', async () => {
    const { origin } = await rig.plain(mirrorSite);
    const mirrors = siteSchema.shape.mirrors.parse({ apt: `${origin}/ubuntu` });
    expect(await probed(mirrors)).toMatchObject([{ works: true, status: 200 }]);
  });

  it('names each mirror that is dead, empty or another website', async () => {
    const parked = await rig.plain(({ response }) => void response.writeHead(404).end());
    const mirrors = siteSchema.shape.mirrors.parse({
      apt: `${parked.origin}/debian`,
      npm: 'http://127.0.0.1:9',
    });
    const inputs = { mirrors, route: {}, env: {}, askPassword: undefined };
    const { text } = await mirrorsFromFlags({}, inputs);
    expect(text).toMatch(/mirrors\.apt +127\.0\.0\.1:\d+ +FAILED: status 404/);
    expect(text).toMatch(/mirrors\.npm +127\.0\.0\.1:9 +FAILED: /);
  });

  it('goes through the proxy if direct access fails', async () => {
    const { port } = (await rig.plain(mirrorSite)).url('/');
    const proxy = await rig.httpProxy({ names: { 'mirror.test': '127.0.0.1' } });
    const mirrors = siteSchema.shape.mirrors.parse({ npm: `http://mirror.test:${port}` });
    expect(await probed(mirrors, proxy.url)).toMatchObject([{ works: true, route: 'proxy' }]);
  });

  it('rejects a test of mirrors without a mirror, and names a preset', async () => {
    const inputs = { mirrors: undefined, route: {}, env: {}, askPassword: undefined };
    await expect(mirrorsFromFlags({}, inputs)).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining('--preset china-debian'),
    });
  });
});

describe('a preset of mirrors', () => {
  it.each(Object.entries(mirrorPresets))(
    'accepts a preset of mirrors in a site: %s',
    (_name, { mirrors }) => {
      const admin = { ssh_keys: ['ssh-ed25519 AAAA'] };
      const site = siteSchema.parse({ release: 'push', admin, mirrors });
      expect(checkSite(site)).toEqual([]);
      expect(mirrorTargets(site.mirrors).length).toBeGreaterThan(6);
    },
  );
});
