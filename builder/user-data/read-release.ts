import { readFile, stat } from 'node:fs/promises';
import { headMembers, manifestName } from '#contract/bundle/head.ts';
import { verifyHead } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import { fileError } from '../files/file-error.ts';
import { silentReporter } from '../progress/reporter.ts';
import { pinRelease } from './pin-release.ts';
import type { PinnedRelease } from './pinned-release.ts';

/**
 * Reads and verifies a release to pin: from the head of a bundle, or from the published `release.json`
 * with its signature in `….json.sig`.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, and BUNDLE_… when the release is rejected
 */
export async function readRelease(path: string, policy: TrustPolicy): Promise<PinnedRelease> {
  return path.endsWith('.json') ? fromManifest(path, policy) : fromBundle(path, policy);
}

async function fromBundle(path: string, policy: TrustPolicy): Promise<PinnedRelease> {
  const bundle = await openBundle(path, silentReporter);
  try {
    const { release, manifestSha256 } = await verifyHead(bundle.content, policy);
    return { release, manifestSha256 };
  } finally {
    await bundle.close();
  }
}

async function fromManifest(path: string, policy: TrustPolicy): Promise<PinnedRelease> {
  return pinRelease(await readManifest(path), await readManifest(`${path}.sig`), policy);
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
