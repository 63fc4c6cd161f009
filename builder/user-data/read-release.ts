import { readFile, stat } from 'node:fs/promises';
import { headMembers, manifestName } from '#contract/bundle/head.ts';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
import { refusal } from '#contract/bundle/refusals.ts';
import { verifyHead } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import { pathsToRead } from '../bundle/parts/bundle-files.ts';
import { fileError } from '../files/file-error.ts';
import { silentReporter } from '../progress/reporter.ts';
import { pinRelease } from './pin-release.ts';
import type { PinnedRelease } from './pinned-release.ts';

/**
 * Reads and verifies a release to pin: from the head of a bundle, or from the published `release.json`
 * with its signature in `….json.sig`.
 * @param partSize bytes of the parts in which a bundle is hosted, for a `release.json` without its bundle
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, and BUNDLE_… when the release is rejected
 */
export async function readRelease(
  path: string,
  policy: TrustPolicy,
  partSize?: number,
): Promise<PinnedRelease> {
  return path.endsWith('.json') ? fromManifest(path, policy, partSize) : fromBundle(path, policy);
}

async function fromBundle(path: string, policy: TrustPolicy): Promise<PinnedRelease> {
  const bundle = await openBundle(path, silentReporter);
  try {
    const { release, manifestSha256, headSize } = await verifyHead(bundle.content, policy);
    const { partSize, size } = bundle;
    if (partSize !== undefined) expectWhole(size, headSize + sizeAfterHead(release.files));
    return { release, manifestSha256, partSize };
  } finally {
    await bundle.close();
  }
}

/** The size of the parts is trusted only if they are a whole bundle. */
function expectWhole(size: number, expected: number): void {
  if (size === expected) return;
  throw refusal('not-truncated', `the parts have ${size} bytes in total instead of ${expected}`);
}

async function fromManifest(
  path: string,
  policy: TrustPolicy,
  partSize: number | undefined,
): Promise<PinnedRelease> {
  const pinned = pinRelease(await readManifest(path), await readManifest(`${path}.sig`), policy);
  if (partSize === undefined) return { ...pinned, partSize: await partSizeBeside(path) };
  const isLarger = sizeAfterHead(pinned.release.files) > partSize;
  return { ...pinned, partSize: isLarger ? partSize : undefined };
}

/** Returns the size of the parts beside `<name>.release.json`; undefined if there are none. */
async function partSizeBeside(path: string): Promise<number | undefined> {
  if (!path.endsWith(`.${manifestName}`)) return undefined;
  const tar = path.slice(0, -manifestName.length).concat('tar');
  const [first = tar] = await pathsToRead(tar);
  if (first === tar) return undefined;
  const bundle = await openBundle(first, silentReporter);
  await bundle.close();
  return bundle.partSize;
}

const maxBytes = headMembers.find(({ name }) => name === manifestName)?.maxBytes ?? 0;

/**
 * Reads a published `release.json` or its signature, without verification.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS; BUNDLE_HEAD for a file above the limit of the format
 */
export async function readManifest(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) {
      throw new LandfallError(
        'BUNDLE_HEAD',
        `${path} is too large for a release.json: ${size} bytes`,
        {
          hint: 'Use the release.json that was published with the bundle.',
        },
      );
    }
    return await readFile(path);
  } catch (error) {
    throw fileError(error, path);
  }
}
