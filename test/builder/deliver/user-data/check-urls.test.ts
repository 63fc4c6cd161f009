import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
import { HttpClient } from '#http/client.ts';
import { pinRelease } from '../../../../builder/bundle/released/pinned-release.ts';
import { checkUrls, expectServed } from '../../../../builder/deliver/user-data/check-urls.ts';
import { makeBundle } from '../../../simulator/bundle.ts';
import { headOf } from '../../../simulator/head-of.ts';
import { recoveryKey, releaseKey, secondKey } from '../../../simulator/keys.ts';

const bundleWith = (version: string) =>
  makeBundle({ release: (release) => ({ ...release, version, expires: '2099-01-01T00:00:00Z' }) });
const bundle = bundleWith('1.2.0');
const members = headOf(bundle);
const [manifest = Buffer.alloc(0), signature = Buffer.alloc(0)] = [
  members.get('release.json'),
  members.get('release.json.sig'),
];
const pinned = pinRelease(manifest, signature, {
  keys: { release: [releaseKey.public, secondKey.public], recovery: recoveryKey.public },
  now: new Date('2026-01-01'),
});
const name = 'landfall-1.2.0-amd64.tar';

let server: Server | undefined;
afterEach(() => server?.close());

/** Serves with this listener and checks its URL. */
async function checkAgainst(listener: RequestListener) {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return checkOf(new URL(`http://127.0.0.1:${port}/releases/${name}`));
}

async function checkOf(url: URL) {
  const http = new HttpClient({ env: {} });
  try {
    const [check] = await checkUrls(http, [{ arch: 'amd64', name, url, pinned }]);
    if (!check) throw new Error('no check');
    return check;
  } finally {
    await http.close();
  }
}

const ranges =
  (content: Buffer): RequestListener =>
  (_, response) => {
    const range = `bytes 0-${content.length - 1}/${content.length}`;
    response.writeHead(206, { 'content-range': range, 'content-length': content.length });
    response.end(content);
  };
const whole =
  (content: Buffer): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-length': content.length }).end(content);
  };
const failed = (message: RegExp, hint: RegExp) => ({
  state: 'not-served',
  error: {
    code: 'USER_DATA_URL',
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  },
});

describe('the check of a release URL', () => {
  it('accepts the bundle, and reports its size and that downloads can be resumed', async () => {
    const served = { state: 'served', size: bundle.length, isResumable: true };
    expect(await checkAgainst(ranges(bundle))).toMatchObject(served);
  });

  it('reports a server without ranges', async () => {
    const served = { state: 'served', size: bundle.length, isResumable: false };
    expect(await checkAgainst(whole(bundle))).toMatchObject(served);
  });

  it('reads only the head of a large bundle', async () => {
    let sent = 0;
    const endless: RequestListener = (_, response) => {
      response.writeHead(200);
      const more = () => {
        while (response.write(sent === 0 ? bundle : Buffer.alloc(65_536))) sent += 1;
        sent += 1;
        response.once('drain', more);
      };
      more();
    };
    expect(await checkAgainst(endless)).toMatchObject({ state: 'served', size: undefined });
    expect(sent).toBeLessThan(1000);
  });

  it('names the file to upload if the URL has none', async () => {
    const absent: RequestListener = (_, response) => void response.writeHead(404).end('no');
    const check = await checkAgainst(absent);
    expect(check).toMatchObject(failed(/status 404/, /Upload landfall-1\.2\.0-amd64\.tar to/));
  });

  it('rejects a file that is not public', async () => {
    const closed: RequestListener = (_, response) => void response.writeHead(403).end();
    expect(await checkAgainst(closed)).toMatchObject(failed(/status 403/, /without a login/));
  });

  it('rejects a web page', async () => {
    const page = Buffer.from(`<!doctype html>${' '.repeat(2000)}`);
    expect(await checkAgainst(whole(page))).toMatchObject(failed(/not serve a bundle/, /web page/));
  });

  it('rejects another release', async () => {
    const other = bundleWith('1.3.0');
    expect(await checkAgainst(ranges(other))).toMatchObject(failed(/another release/, /again/));
  });

  it('rejects an incomplete upload', async () => {
    const half = bundle.subarray(0, bundle.length - sizeAfterHead(pinned.release.files) + 600);
    const message = new RegExp(`has ${half.length} bytes instead of ${bundle.length}`);
    expect(await checkAgainst(ranges(half))).toMatchObject(failed(message, /interrupted/));
  });

  it('reports a host that is unreachable', async () => {
    const check = await checkOf(new URL(`http://127.0.0.1:1/${name}`));
    expect(check).toMatchObject({ error: { code: 'NETWORK_UNREACHABLE' } });
  });

  it('fails with every reason once', async () => {
    const absent = await checkOf(new URL(`http://127.0.0.1:1/${name}`));
    const served = await checkAgainst(ranges(bundle));
    expect(() => expectServed([served])).not.toThrow();
    const error = { code: 'USER_DATA_URL', message: '2 of 3 URLs do not serve the release' };
    const problem = { message: expect.stringContaining('127.0.0.1:1') };
    expect(() => expectServed([absent, served, absent])).toThrow(
      expect.objectContaining({
        ...error,
        retriable: true,
        problems: [expect.objectContaining(problem)],
      }),
    );
  });
});
