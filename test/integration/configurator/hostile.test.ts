import { afterAll, beforeAll, expect, it } from 'vitest';
import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { readHead } from '#contract/bundle/read-head.ts';
import { LandfallError } from '#contract/errors.ts';
import { pinRelease } from '../../../builder/bundle/released/pinned-release.ts';
import type { PageFacts } from '../../../builder/page/facts.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { hostileBundles } from '../../simulator/hostile-bundles.ts';
import { recoveryKey, releaseKey, secondKey } from '../../simulator/keys.ts';
import { oneChunk, serverPolicy } from '../../simulator/verdict.ts';
import { needs } from '../needs.ts';
import { choose, PageFolder } from './opened-page.ts';

const given = needs('browser');

const facts: PageFacts = {
  product: 'landfall',
  version: '1.2.0',
  architectures: ['amd64'],
  keys: {
    release: [releaseKey.public.spki, secondKey.public.spki],
    recovery: recoveryKey.public.spki,
  },
};

/** Returns the manifest and the signature of a bundle; undefined if it has none. */
async function headOf(bundle: Buffer) {
  const head = await readHead(new ByteReader(oneChunk(bundle))).catch((error: unknown) => {
    if (error instanceof LandfallError) return undefined;
    throw error;
  });
  const [manifest, signature] = ['release.json', 'release.json.sig'].map((name) =>
    head?.members.get(name),
  );
  return manifest && signature ? { manifest, signature } : undefined;
}

/** Returns the code with which Node rejects a release by the policy of the page; undefined if it accepts it. */
function codeOf(manifest: Uint8Array, signature: Uint8Array): string | undefined {
  try {
    pinRelease(manifest, signature, {
      ...{ keys: serverPolicy.keys, product: 'landfall', now: new Date() },
    });
    return undefined;
  } catch (error) {
    if (error instanceof LandfallError) return error.code;
    throw error;
  }
}

given.describe('the page with files of an attacker', () => {
  let folder: PageFolder;
  beforeAll(async () => {
    folder = await PageFolder.start(given.browser, facts);
  });
  afterAll(() => folder.close());

  it('gives the same codes as Node for all manifests and signatures of hostile bundles', async () => {
    const page = await folder.open('file');
    const give = (manifest: Uint8Array, signature: Uint8Array) =>
      choose(page, [
        { name: 'release.json', buffer: Buffer.from(manifest) },
        { name: 'release.json.sig', buffer: Buffer.from(signature) },
      ]);
    const valid = await headOf(
      makeBundle({ release: (release) => ({ ...release, expires: '2999-01-01T00:00:00Z' }) }),
    );
    if (!valid) throw new Error('the valid bundle has no head');
    const wrong: string[] = [];
    const codes: string[] = [];
    for (const { name, bundle } of hostileBundles) {
      const head = await headOf(bundle());
      const code = head && codeOf(head.manifest, head.signature);
      if (!head || code === undefined) continue;
      codes.push(code);
      // The page reads files asynchronously: its next verdict is not that of the bundle before.
      await give(valid.manifest, valid.signature);
      await page.waitForSelector('#release [role=status]');
      await give(head.manifest, head.signature);
      const said = await page.innerText('#release .error code');
      if (said !== code) wrong.push(`${name}: ${code}, but the page shows ${said}`);
    }
    expect(wrong).toEqual([]);
    expect(codes).toContain('BUNDLE_UNTRUSTED');
    expect(codes.length).toBeGreaterThan(50);
    expect(folder.complaints).toEqual([]);
  });
});
