import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { headMembers, manifestName } from '#contract/bundle/head.ts';
import { sizeAfterHead } from '#contract/bundle/layout.ts';
import { refusal } from '#contract/bundle/refusals.ts';
import { partName, withoutPart } from '#contract/bundle/release-name.ts';
import { verifyHead } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { fileError } from '#files/file-error.ts';
import { silentReporter } from '../../base/progress/reporter.ts';
import { openBundle } from '../archive/open-bundle.ts';
import { pathsToRead } from '../archive/parts.ts';
import { type PinnedRelease, pinRelease } from './pinned-release.ts';

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
  await using bundle = await openBundle(path, silentReporter);
  const { release, manifestSha256, headSize } = await verifyHead(bundle.content, policy);
  const { partSize, size } = bundle;
  const expected = headSize + sizeAfterHead(release.files);
  // The size of the parts is trusted only if they are a whole bundle.
  if (partSize !== undefined && size !== expected) {
    throw refusal('not-truncated', `the parts have ${size} bytes in total instead of ${expected}`);
  }
  return { release, manifestSha256, partSize };
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
  await using bundle = await openBundle(first, silentReporter);
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
      const message = `${path} is too large for a release.json: ${size} bytes`;
      throw new LandfallError('BUNDLE_HEAD', message, {
        hint: 'Use the release.json that was published with the bundle.',
      });
    }
    return await readFile(path);
  } catch (error) {
    throw fileError(error, path);
  }
}

/**
 * Returns the paths of releases: folders are replaced by the bundles in them, and all parts of a bundle
 * by one of them.
 * @throws LandfallError FILE_MISSING for a missing file and a folder without bundles, FILE_ACCESS
 */
export async function releasePaths(paths: readonly string[]): Promise<string[]> {
  const all = (await Promise.all(paths.map(bundlesAt))).flat();
  const byBundle = new Map(all.map((path) => [withoutPart(path), path]));
  return [...byBundle.values()];
}

async function bundlesAt(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    const [first = path] = await pathsToRead(path);
    await stat(first).catch((error: unknown) => {
      throw fileError(error, path);
    });
    return [path];
  }
  const names = await readdir(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  const first = partName('.tar', 0);
  const bundles = names.filter((name) => name.endsWith('.tar') || name.endsWith(first));
  if (bundles.length > 0) return bundles.sort().map((name) => join(path, name));
  throw new LandfallError('FILE_MISSING', `${path} has no bundle`, {
    hint: {
      en: 'Use the output folder of `landfall build`, or name the files.',
      zh: '使用 `landfall build` 的输出文件夹，或写出文件名。',
    },
  });
}
