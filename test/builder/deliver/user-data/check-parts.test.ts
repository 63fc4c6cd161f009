import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#http/client.ts';
import { pinRelease } from '../../../../builder/bundle/released/pinned-release.ts';
import { checkUrls } from '../../../../builder/deliver/user-data/check-urls.ts';
import { serve, status } from '../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../faulty-server/faulty-server.ts';
import { makeBundle } from '../../../simulator/bundle.ts';
import { headOf } from '../../../simulator/head-of.ts';
import { recoveryKey, releaseKey, secondKey } from '../../../simulator/keys.ts';
import { splitInto } from '../../../simulator/split-into.ts';

const bundleWith = (version: string) =>
  makeBundle({ release: (release) => ({ ...release, version, expires: '2099-01-01T00:00:00Z' }) });
const bundle = bundleWith('1.2.0');
const members = headOf(bundle);
const release = pinRelease(
  members.get('release.json') ?? Buffer.alloc(0),
  members.get('release.json.sig') ?? Buffer.alloc(0),
  { keys: { release: [releaseKey.public, secondKey.public], recovery: recoveryKey.public } },
);
/** Smaller than the head, so that the head is in several parts. */
const partSize = 1_500;
const parts = splitInto(bundle, partSize);
const last = parts.length - 1;
const name = 'landfall-1.2.0-amd64.tar';
const pathOf = (index: number) => `/r/${name}.${String(index).padStart(3, '0')}`;

let server: FaultyServer | undefined;
afterEach(() => server?.close());

async function check(changes: Readonly<Record<number, Handler>> = {}, served = parts) {
  const routes = served.map((part, index) => [pathOf(index), changes[index] ?? serve(part)]);
  server = await FaultyServer.start(Object.fromEntries(routes));
  const http = new HttpClient({ env: {} });
  try {
    const url = server.url(`/r/${name}`);
    const pinned = { ...release, partSize };
    const [found] = await checkUrls(http, [{ arch: 'amd64', name, url, pinned }]);
    return found;
  } finally {
    await http.close();
  }
}

const failed = (message: RegExp, hint: RegExp) => ({
  state: 'not-served',
  error: {
    code: 'USER_DATA_URL',
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  },
});

describe('the check of a bundle in parts', () => {
  it('accepts all parts, and reports their total size', async () => {
    const served = { state: 'served', size: bundle.length, isResumable: true };
    expect(await check()).toMatchObject(served);
  });

  it('reports that a part cannot be resumed', async () => {
    const whole = serve(parts[2] ?? bundle, { ranges: false });
    expect(await check({ 2: whole })).toMatchObject({ state: 'served', isResumable: false });
  });

  it.each<[string, Readonly<Record<number, Handler>>, RegExp, RegExp]>([
    [
      'a missing first part',
      { 0: status(404) },
      /tar\.000 responded with status 404/,
      /Upload landfall-1\.2\.0-amd64\.tar\.000 /,
    ],
    ['a missing last part', { [last]: status(404) }, /status 404/, /Upload landfall/],
    ['a closed part', { [last]: status(403) }, /status 403/, /without a login/],
    [
      'an incomplete part',
      { [last - 1]: serve(Buffer.alloc(100)) },
      /has 100 bytes instead of 1500/,
      /interrupted/,
    ],
    [
      'a longer last part',
      { [last]: serve(Buffer.alloc(1_499)) },
      /has 1499 bytes instead of/,
      /again/,
    ],
    [
      'a web page',
      { 0: serve(Buffer.from(' '.repeat(2000))) },
      /tar\.000 does not serve a bundle/,
      /web page/,
    ],
  ])('rejects %s', async (_what, changes, message, hint) => {
    expect(await check(changes)).toMatchObject(failed(message, hint));
  });

  it('rejects parts of another size', async () => {
    const result = await check({}, splitInto(bundle, partSize + 1));
    expect(result).toMatchObject({ state: 'not-served', error: { code: 'USER_DATA_URL' } });
  });

  it('rejects another release', async () => {
    const other = splitInto(bundleWith('1.3.0'), partSize);
    expect(await check({}, other)).toMatchObject(failed(/another release/, /again/));
  });
});
