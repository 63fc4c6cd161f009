import { basename } from 'node:path';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
import { refusal } from '#contract/bundle/refusals.ts';
import { releaseName, withoutPart } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { headOfBundle } from '../../bundle/archive/unverified-head.ts';
import type { PinnedRelease } from '../../bundle/released/pinned-release.ts';
import { isBundle, type ReleaseFile } from './release-files.ts';

/**
 * Reads the heads of the bundles among the files, one for each bundle. Checks that a bundle is complete
 * and has the name that servers request, but not its signature: servers verify it.
 * @throws LandfallError BUNDLE_… for another file or an incomplete bundle, USAGE for another name
 */
export async function hostedBundles(files: readonly ReleaseFile[]): Promise<PinnedRelease[]> {
  const bundles = files.filter(({ name }) => isBundle(name));
  const byName = new Map(bundles.map((file) => [withoutPart(file.name), file.path]));
  return await Promise.all([...byName.values()].map(readPinned));
}

async function readPinned(path: string): Promise<PinnedRelease> {
  const { release, manifestSha256, headSize, size, partSize } = await headOfBundle(path);
  expectName(basename(withoutPart(path)), release);
  expectWhole(path, size, headSize + sizeAfterHead(release.files));
  return { release, manifestSha256, partSize };
}

function expectName(name: string, { product, version, arch }: PinnedRelease['release']): void {
  const expected = `${releaseName(product, version, arch)}.tar`;
  if (name === expected) return;
  throw new LandfallError('USAGE', `${name} has another name than its release`, {
    hint: `Rename it to ${expected}, which is the name that servers request.`,
  });
}

function expectWhole(path: string, size: number, expected: number): void {
  if (size === expected) return;
  throw refusal('not-truncated', `${path} has ${size} bytes instead of ${expected}`);
}
