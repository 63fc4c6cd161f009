import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publicKeyPem, type TrustedKeys } from '#contract/trust/keys.ts';
import { verifyAsUser } from '../../../../builder/publish/release/verify-as-user.ts';
import { makeBundle } from '../../../simulator/bundle.ts';
import { headOf } from '../../../simulator/head-of.ts';
import { recoveryKey, releaseKey, secondKey, strangerKey } from '../../../simulator/keys.ts';

const program = fileURLToPath(new URL('../../../../builder/bin/landfall.mjs', import.meta.url));
const keys = { release: [releaseKey.public, secondKey.public], recovery: recoveryKey.public };
const good = makeBundle({
  release: (release) => ({ ...release, expires: '2099-01-01T00:00:00Z' }),
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-verify-'));
  await write('release.pub', publicKeyPem(releaseKey.public));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, content: string | Uint8Array) =>
  writeFile(join(folder, name), content);

/** Writes a bundle with its manifest and signature, and returns its path. */
async function bundle(name: string, content: Buffer, head = headOf(content)): Promise<string> {
  await write(`${name}.tar`, content);
  for (const member of ['release.json', 'release.json.sig']) {
    await write(`${name}.${member}`, head.get(member) ?? '');
  }
  return join(folder, `${name}.tar`);
}

const verify = (path: string, trusted: TrustedKeys = keys) =>
  verifyAsUser(program, [path], trusted, join(folder, 'release.pub'));

describe('a bundle, verified as a user does', () => {
  it('accepts a bundle that landfall verify and openssl accept', async () => {
    await expect(verify(await bundle('landfall-1.2.0-amd64', good))).resolves.toBeUndefined();
  });

  it('rejects a bundle if one byte is missing', async () => {
    const path = await bundle('landfall-1.2.0-amd64', good.subarray(0, -1), headOf(good));
    await expect(verify(path)).rejects.toMatchObject({
      code: 'BUNDLE_CONTENT',
      message: expect.stringContaining('landfall-1.2.0-amd64.tar is rejected: '),
    });
  });

  it('rejects a bundle with other keys than it announces', async () => {
    const path = await bundle('landfall-1.2.0-amd64', good);
    const fewer = { release: [strangerKey.public], recovery: undefined };
    await expect(verify(path, fewer)).rejects.toMatchObject({ code: 'BUNDLE_CONTENT' });
  });

  it('rejects a bundle under the name of another release', async () => {
    const path = await bundle('landfall-1.2.0-arm64', good);
    await expect(verify(path)).rejects.toMatchObject({
      message: expect.stringContaining('it contains landfall-1.2.0-amd64'),
    });
  });

  it('rejects a bundle if openssl rejects the signature next to it', async () => {
    const path = await bundle('landfall-1.2.0-amd64', good);
    await write('landfall-1.2.0-amd64.release.json', '{}');
    await expect(verify(path)).rejects.toMatchObject({ code: 'BUNDLE_UNTRUSTED' });
  });
});
