import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { trustedKeysOf } from '#contract/trust/keys.ts';
import { HttpClient } from '#http/client.ts';
import { downloadRelease } from '../../../../builder/deliver/packaged/download-release.ts';
import type { PackagedRelease } from '../../../../builder/deliver/packaged/packaged-release.ts';
import { html, redirect, serve, short, status } from '../../../faulty-server/faults.ts';
import { FaultyServer, type Routes } from '../../../faulty-server/faulty-server.ts';
import { strangerKey } from '../../../simulator/keys.ts';
import { folderWith, makeHead, packagedAt } from './rig.ts';

let main: FaultyServer;
let other: FaultyServer;
let http: HttpClient;
beforeEach(async () => {
  main = await FaultyServer.start(folderWith());
  other = await FaultyServer.start(folderWith());
  http = new HttpClient();
});
afterEach(() => Promise.all([main.close(), other.close(), http.close()]));

const amd64 = '/r/landfall-1.2.0-amd64.release.json';

function download(...servers: FaultyServer[]) {
  return downloadWith({}, ...servers);
}

function downloadWith(facts: Partial<PackagedRelease>, ...servers: FaultyServer[]) {
  const urls = servers.map((server) => server.url('/r').href);
  const packaged = { ...packagedAt('https://example.com/unused/'), ...facts };
  const policy = { keys: trustedKeysOf(packaged.keys), now: new Date() };
  const retry = { attempts: 2, sleep: async () => {} };
  return downloadRelease(packaged, urls, { http, policy, retry });
}

/** Redirects every path to the same path of another server. */
function movedTo(server: FaultyServer): Routes {
  const paths = Object.keys(folderWith());
  return Object.fromEntries(paths.map((path) => [path, redirect(server.url(path))]));
}

describe('the release of the package', () => {
  it('downloads and verifies the release of the package for every architecture', async () => {
    const releases = await download(main);
    expect(releases.map(({ release }) => release.arch)).toEqual(['amd64', 'arm64']);
    for (const { manifestSha256 } of releases) expect(manifestSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('pins the release of the package with the size of its parts', async () => {
    const releases = await downloadWith({ partSizes: { arm64: 2_000 } }, main);
    expect(releases.map(({ partSize }) => partSize)).toEqual([undefined, 2_000]);
  });

  it('comes from the next source if one does not respond', async () => {
    main.answer(status(404));
    await expect(download(main, other)).resolves.toHaveLength(2);
    main.answer(html('<title>Log in</title>'.repeat(20)));
    await expect(download(main, other)).resolves.toHaveLength(2);
    expect(main.seen().length).toBeGreaterThan(0);
  });

  it('retries the download of the release of the package after a server error', async () => {
    const routes = folderWith();
    main.answer({
      ...routes,
      [amd64]: (visit) => (visit.count === 1 ? status(503) : routes[amd64])?.(visit),
    });
    await expect(download(main)).resolves.toHaveLength(2);
  });

  it('may be redirected to another host, as by code hosts', async () => {
    main.answer(movedTo(other));
    await expect(download(main)).resolves.toHaveLength(2);
  });

  it('lists every source if none has it', async () => {
    main.answer(status(404));
    other.answer(status(403));
    await expect(download(main, other)).rejects.toMatchObject({
      code: 'USER_DATA_URL',
      retriable: false,
      problems: [
        { message: expect.stringContaining(`${main.origin}/r/landfall-1.2.0-`) },
        { message: expect.stringContaining('status 403') },
      ],
    });
  });
});

const expired: Partial<Release> = { expires: '2026-11-02T00:00:00Z' };

describe('a source with other content', () => {
  it.each([
    ['another key', folderWith({}, strangerKey), 'BUNDLE_UNTRUSTED'],
    ['another version', folderWith({ version: '1.1.0' }), 'USER_DATA_MISMATCH'],
    ['another product', folderWith({ product: 'other' }), 'BUNDLE_WRONG_TARGET'],
    ['an expired release', folderWith(expired), 'BUNDLE_EXPIRED'],
    [
      'one more trusted key',
      folderWith({
        keys: {
          release: [packagedAt().keys.release[0] ?? '', strangerKey.public.spki],
          recovery: null,
        },
      }),
      'BUNDLE_KEYS',
    ],
    [
      'the manifest of another architecture',
      {
        ...folderWith(),
        [amd64]: serve(makeHead({ arch: 'arm64' }).get('release.json') as Buffer),
      },
      'BUNDLE_UNTRUSTED',
    ],
    [
      'a truncated manifest',
      {
        ...folderWith(),
        [amd64]: short(500, makeHead({ arch: 'amd64' }).get('release.json') as Buffer),
      },
      'BUNDLE_UNTRUSTED',
    ],
    [
      'an empty signature',
      { ...folderWith(), [`${amd64}.sig`]: serve(Buffer.alloc(0)) },
      'BUNDLE_SIGNATURE',
    ],
  ])('rejects a download source with other content: %s', async (_what, routes, code) => {
    main.answer(routes);
    await expect(download(main, other)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(main.origin),
    });
  });

  it('rejects other content on another host after a redirect', async () => {
    main.answer(movedTo(other));
    other.answer(folderWith({}, strangerKey));
    await expect(download(main)).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
  });

  it('skips a download source whose manifest is too large', async () => {
    main.answer({ ...folderWith(), [amd64]: serve(Buffer.alloc(9 * 1024 * 1024)) });
    await expect(download(main)).rejects.toMatchObject({ code: 'USER_DATA_URL' });
  });
});
