import { describe, expect, it } from 'vitest';
import { verifyBundle, verifyHead } from '#contract/bundle/verify.ts';
import { makeBundle, makeRelease, sha256, tinyFiles } from '../../../../simulator/bundle.ts';
import { releaseKey } from '../../../../simulator/keys.ts';
import { oneChunk, serverPolicy } from '../../../../simulator/verdict.ts';

const bundle = makeBundle();
const manifestSize = Number.parseInt(bundle.toString('latin1', 124, 135), 8);
const manifest = bundle.subarray(512, 512 + manifestSize);

describe('a verified bundle', () => {
  it('returns the release, the signer and the total size of a verified bundle', async () => {
    const verified = await verifyBundle(oneChunk(bundle), serverPolicy);
    expect(verified.release).toEqual(makeRelease(tinyFiles));
    expect(verified.signer).toEqual({ key: releaseKey.public, role: 'release' });
    expect(verified.manifestSha256).toBe(sha256(manifest));
    expect(verified.size).toBe(bundle.length);
  });

  it('finds each file of a bundle at head size plus offset, as delta updates require', async () => {
    const { release, headSize } = await verifyBundle(oneChunk(bundle), serverPolicy);
    for (const [index, { offset, size }] of release.files.entries()) {
      const start = headSize + offset;
      expect(bundle.subarray(start, start + size)).toEqual(tinyFiles[index]?.content);
    }
  });

  it('can be pinned by its own digest', async () => {
    const { manifestSha256: pinned } = await verifyHead(oneChunk(bundle), serverPolicy);
    const verified = await verifyBundle(oneChunk(bundle), { ...serverPolicy, pinned });
    expect(pinned).toMatch(/^[0-9a-f]{64}$/);
    expect(verified.manifestSha256).toBe(pinned);
  });

  it('returns the same head of a bundle before the files are read', async () => {
    const { size: _, ...verified } = await verifyBundle(oneChunk(bundle), serverPolicy);
    expect(await verifyHead(oneChunk(bundle), serverPolicy)).toEqual(verified);
  });
});
