import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import {
  describeBundle,
  readNamedBundle,
} from '../../../../../appliance/operations/update/download/named-bundle.ts';
import {
  ensureTrustAnchor,
  writeTrustAnchor,
} from '../../../../../appliance/server/host/trust-anchor.ts';
import { serve, status } from '../../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../../faulty-server/faulty-server.ts';
import { makeBundle } from '../../../../simulator/bundle.ts';
import { headOf } from '../../../../simulator/head-of.ts';
import {
  type KeyPair,
  recoveryKey,
  releaseKey,
  secondKey,
  strangerKey,
} from '../../../../simulator/keys.ts';
import { contextFor, imageOf } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const [engine, ui] = [imageOf('engine', 1000), imageOf('ui', 2000)];
const other = `sha256:${'b'.repeat(64)}` as const;
const otherUi = imageOf('ui', 2000, { index: other, manifest: other });

let host: TemporaryHost;
let server: FaultyServer | undefined;

beforeEach(() => {
  host = TemporaryHost.with({
    'etc/landfall/keys/release-1.pem': publicKeyPem(releaseKey.public),
    'etc/landfall/keys/release-2.pem': publicKeyPem(secondKey.public),
    'etc/landfall/keys/recovery.pem': publicKeyPem(recoveryKey.public),
  });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const bundleOf = (change: Partial<Release> = {}, signer: KeyPair = releaseKey) =>
  makeBundle({
    signer,
    release: (release) => ({ ...release, models: [], images: [engine, otherUi], ...change }),
  });

/** Reads a bundle on a server with release 1.0.0. */
async function read(name: string) {
  const context = contextFor(host, {
    site: { updates: { channels: [] } },
    release: { version: '1.0.0', images: [engine, ui] },
  });
  return await readNamedBundle({ ...context, note: () => {} }, name);
}

function inFile(bundle: Buffer): string {
  const path = join(host.root, 'x.tar');
  writeFileSync(path, bundle);
  return path;
}

async function onWeb(handlers: Record<string, Handler>): Promise<string> {
  server = await FaultyServer.start(handlers);
  return server.origin;
}

describe('a bundle that the administrator names', () => {
  it('reads a bundle from a file, with its digest and what it changes', async () => {
    const bundle = bundleOf();
    const path = inFile(bundle);
    const named = await read(path);
    expect(named.next).toEqual({
      version: '1.2.0',
      manifest: sha256Hex(headOf(bundle).get('release.json') ?? Buffer.alloc(0)),
      components: ['ui'],
      disk: expect.any(Number),
      bundle: { file: path },
    });
    const text = describeBundle(named, '1.0.0');
    expect(text).toContain(path);
    expect(text).toMatch(/restarts +ui/);
  });

  it('reads a bundle from a URL', async () => {
    const origin = await onWeb({ '/a/x.tar': serve(bundleOf()) });
    const { next } = await read(`${origin}/a/x.tar`);
    expect(next.bundle).toEqual({ urls: [new URL(`${origin}/a/x.tar`)], part: null });
  });

  it.each([true, false])(
    'reads a bundle from the URL of its first part; ranges: %s',
    async (ranges) => {
      const bundle = bundleOf();
      const size = 4000;
      const parts = Array.from({ length: Math.ceil(bundle.length / size) }, (_, index) => [
        `/x.tar.${String(index).padStart(3, '0')}`,
        serve(bundle.subarray(index * size, (index + 1) * size), { ranges }),
      ]);
      const origin = await onWeb(Object.fromEntries(parts));
      const { next } = await read(`${origin}/x.tar.000`);
      expect(next.bundle).toEqual({ urls: [new URL(`${origin}/x.tar`)], part: size });
    },
  );

  it.each([
    ['a stranger', 'BUNDLE_UNTRUSTED', bundleOf({}, strangerKey)],
    ['another product', 'BUNDLE_WRONG_TARGET', bundleOf({ product: 'other' })],
    ['another architecture', 'BUNDLE_WRONG_TARGET', bundleOf({ arch: 'arm64' })],
    [
      'a release that needs a newer one first',
      'BUNDLE_ROLLBACK',
      bundleOf({ updatesFrom: '1.1.0' }),
    ],
    ['something else', 'BUNDLE_HEADER', Buffer.alloc(2000, 'x')],
  ])('rejects a bundle of %s', async (_what, code, bundle) => {
    await expect(read(inFile(bundle))).rejects.toMatchObject({ code });
  });

  it.each([
    ['1.0.0', '1.0.0 is installed already'],
    ['0.9.0', '0.9.0 is older than 1.0.0'],
  ])(
    'names the command that goes back when it rejects a bundle of %s',
    async (version, message) => {
      const bundle = bundleOf({ version, updatesFrom: null });
      await expect(read(inFile(bundle))).rejects.toMatchObject({
        code: 'BUNDLE_ROLLBACK',
        message,
        hint: expect.stringContaining('sudo landfall update rollback'),
      });
    },
  );

  it('rejects a bundle below the floor of the keys', async () => {
    await writeTrustAnchor(host, { ...(await ensureTrustAnchor(host)), floor: '1.3.0' });
    await expect(read(inFile(bundleOf()))).rejects.toMatchObject({
      code: 'BUNDLE_ROLLBACK',
      message: expect.stringContaining('1.3.0'),
    });
  });

  it('rejects a path or a URL without a bundle', async () => {
    await expect(read(join(host.root, 'none.tar'))).rejects.toMatchObject({ code: 'FILE_MISSING' });
    const origin = await onWeb({ '/x.tar.000': status(404) });
    await expect(read(`${origin}/x.tar.000`)).rejects.toMatchObject({ code: 'HTTP_STATUS' });
    await expect(read('ftp://192.0.2.1/x.tar')).rejects.toMatchObject({ code: 'USAGE' });
  });
});
