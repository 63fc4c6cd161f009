import { afterAll, beforeAll, expect, it } from 'vitest';
import { ByteReader } from '#contract/bundle/byte-reader.ts';
import { readHead } from '#contract/bundle/read-head.ts';
import { LandfallError } from '#contract/errors.ts';
import { pinRelease } from '../../../builder/bundle/released/pinned-release.ts';
import type { PageFacts } from '../../../builder/page/facts.ts';
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

/** Returns the verdict of Node, with the policy of the page. */
function verdictOf(manifest: Uint8Array, signature: Uint8Array): string {
  try {
    const { keys } = serverPolicy;
    const { release } = pinRelease(manifest, signature, {
      keys,
      product: 'landfall',
      now: new Date(),
    });
    return `Verified: ${release.product} ${release.version}`;
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
    const wrong: string[] = [];
    const codes = new Set<string>();
    for (const { name, bundle } of hostileBundles) {
      const head = await headOf(bundle());
      if (!head) continue;
      await choose(page, [
        { name: 'release.json', buffer: Buffer.from(head.manifest) },
        { name: 'release.json.sig', buffer: Buffer.from(head.signature) },
      ]);
      const expected = verdictOf(head.manifest, head.signature);
      codes.add(expected);
      const said = await page.locator('#release').innerText();
      if (!said.includes(expected)) wrong.push(`${name}: ${expected}, but the page shows ${said}`);
    }
    expect(wrong).toEqual([]);
    expect([...codes]).toContain('BUNDLE_UNTRUSTED');
    expect(folder.complaints).toEqual([]);
  });
});
