import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Release } from '#contract/bundle/release.ts';
import { decodeAnchor } from '#contract/trust/anchor.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { readNamedBundle } from '../../../../../appliance/operations/update/download/named-bundle.ts';
import { downloadUpdate } from '../../../../../appliance/operations/update/download/stage-release.ts';
import { makeBundle } from '../../../../simulator/bundle.ts';
import { type KeyPair, recoveryKey, releaseKey, strangerKey } from '../../../../simulator/keys.ts';
import { piped } from '../../../answers.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const stolen = releaseKey;
const next = strangerKey;
const keysOf = (pair: KeyPair) => ({
  release: [pair.public.spki],
  recovery: recoveryKey.public.spki,
});

let host: TemporaryHost;

beforeEach(() => {
  const volume = { 'docker volume inspect': '/var/lib/docker/volumes/landfall_engine-data/_data' };
  host = TemporaryHost.with(
    {
      'etc/landfall/keys/release-1.pem': publicKeyPem(stolen.public),
      'etc/landfall/keys/recovery.pem': publicKeyPem(recoveryKey.public),
      'opt/landfall/releases/1.0.0-amd64/release.json': '',
    },
    { [piped('tar')]: '', sync: '', ...volume },
  );
});

const contextOf = (version: string) =>
  contextFor(host, { site: { updates: { channels: [] } }, release: { version, images: [] } });

/** Names a bundle on a server with a release, as `landfall update install` does. */
async function read(installed: string, version: string, keys: Release['keys'], signer: KeyPair) {
  const path = join(host.root, `${version}.tar`);
  const change = { version, keys, models: [], images: [], updatesFrom: null };
  writeFileSync(path, makeBundle({ signer, release: (release) => ({ ...release, ...change }) }));
  return await readNamedBundle({ ...contextOf(installed), note: () => {} }, path);
}

const anchor = () => decodeAnchor(readFileSync(host.path('etc/landfall/trust.json'), 'utf8'));

/** Downloads the answer to the theft: 2.0.0 of the recovery key. Nothing of it has run. */
async function downloadAnswer(): Promise<void> {
  const named = await read('1.0.0', '2.0.0', keysOf(next), recoveryKey);
  await downloadUpdate(contextOf('1.0.0'), named.next);
}

describe('a server whose release key was stolen', () => {
  it('stores the keys of a release of the recovery key before it runs', async () => {
    await downloadAnswer();
    expect(anchor()).toMatchObject({
      release: [next.public.spki],
      revoked: [stolen.public.spki],
      channelSerial: 0,
    });
  });

  it.each(['2.0.0', '1.0.0'])(
    'accepts only the new key after the download, while %s is installed',
    async (installed) => {
      await downloadAnswer();
      const thief = read(installed, '2.0.1', keysOf(stolen), stolen);
      await expect(thief).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
      const named = await read(installed, '2.0.1', keysOf(next), next);
      expect(named.release.version).toBe('2.0.1');
    },
  );

  it('continues to install the release of the recovery key after a power cut', async () => {
    await downloadAnswer();
    await downloadAnswer();
    expect(anchor().release).toEqual([next.public.spki]);
  });

  it('rejects a release of the recovery key that trusts the stolen key again', async () => {
    await downloadAnswer();
    const again = read('2.0.0', '2.0.1', keysOf(stolen), recoveryKey);
    await expect(again).rejects.toMatchObject({ code: 'BUNDLE_KEYS' });
  });

  it('keeps its keys when the download contains other bytes than the release names', async () => {
    const named = await read('1.0.0', '2.0.0', keysOf(next), recoveryKey);
    const path = join(host.root, '2.0.0.tar');
    const bundle = readFileSync(path);
    // Far behind the head, before the two zero blocks and the padding at the end.
    writeFileSync(path, bundle.fill(1, bundle.length - 1536, bundle.length - 1024));
    await expect(downloadUpdate(contextOf('1.0.0'), named.next)).rejects.toMatchObject({
      code: 'BLOB_DIGEST',
    });
    expect(anchor().release).toEqual([stolen.public.spki]);
  });
});
