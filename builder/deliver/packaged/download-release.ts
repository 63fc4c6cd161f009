import { headMembers, manifestName, signatureName } from '#contract/bundle/head.ts';
import { type Architecture, releaseName } from '#contract/bundle/release-name.ts';
import { rowOfCode } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import type { TrustPolicy } from '#contract/trust/trust.ts';
import { safeUrl } from '#http/safe-url.ts';
import { type PinnedRelease, pinRelease } from '../../bundle/released/pinned-release.ts';
import { type DownloadDeps, downloadBytes } from '../../inputs/sources/download-bytes.ts';
import { folderUrl } from '../user-data/boot-settings.ts';
import type { PackagedRelease } from './packaged-release.ts';

interface ReleaseDownload extends DownloadDeps {
  readonly policy: TrustPolicy;
}

/**
 * Downloads and verifies the `release.json` of each architecture. Redirects are followed, because the
 * signature is what is trusted. A source that does not respond is skipped; a source that serves other
 * content is an error.
 * @param sources URLs of folders, in the order to try
 * @throws LandfallError USER_DATA_URL when no source has the files, USER_DATA_MISMATCH for another
 * version, BUNDLE_… when the release is rejected
 */
export async function downloadRelease(
  packaged: PackagedRelease,
  sources: readonly string[],
  deps: ReleaseDownload,
): Promise<PinnedRelease[]> {
  return Promise.all(
    packaged.architectures.map((arch) => firstOf(packaged, arch, sources.map(folderUrl), deps)),
  );
}

async function firstOf(
  packaged: PackagedRelease,
  arch: Architecture,
  folders: readonly URL[],
  deps: ReleaseDownload,
): Promise<PinnedRelease> {
  const base = releaseName(packaged.product, packaged.version, arch);
  const failures: LandfallError[] = [];
  for (const folder of folders) {
    const manifestUrl = new URL(`${base}.${manifestName}`, folder);
    const signatureUrl = new URL(`${base}.${signatureName}`, folder);
    try {
      const manifest = await downloadBytes(manifestUrl, limitOf(manifestName), deps);
      const signature = await downloadBytes(signatureUrl, limitOf(signatureName), deps);
      return verified(packaged, arch, { url: manifestUrl, manifest, signature }, deps.policy);
    } catch (error) {
      if (!(error instanceof LandfallError) || isLasting(error)) throw error;
      failures.push(error);
    }
  }
  throw new LandfallError('USER_DATA_URL', `no source of the site serves ${base}.${manifestName}`, {
    hint: 'Check `release` in site.yaml, or pass downloaded files with --release.',
    problems: failures.map(({ message, hint }) => ({ message, hint })),
    retriable: failures.some(({ retriable }) => retriable),
  });
}

/** Returns whether other content was served, which must not remain unnoticed. */
function isLasting(error: LandfallError): boolean {
  return rowOfCode(error.code).family === 'refused' || error.code === 'USER_DATA_MISMATCH';
}

function limitOf(member: string): number {
  return headMembers.find(({ name }) => name === member)?.maxBytes ?? 0;
}

interface Received {
  readonly url: URL;
  readonly manifest: Uint8Array;
  readonly signature: Uint8Array;
}

/** Verifies the received bytes; errors name the URL. */
function verified(
  { product, version, partSizes }: PackagedRelease,
  arch: Architecture,
  { url, manifest, signature }: Received,
  policy: TrustPolicy,
): PinnedRelease {
  try {
    const pinned = pinRelease(manifest, signature, { ...policy, product, arch });
    if (pinned.release.version === version) return { ...pinned, partSize: partSizes?.[arch] };
    const found = `${pinned.release.product} ${pinned.release.version}`;
    throw new LandfallError('USER_DATA_MISMATCH', `the release is ${found}, not ${version}`, {
      hint: {
        en: 'Update the package `landfall`, or correct `release` in site.yaml.',
        zh: '更新 `landfall` 软件包，或修改 site.yaml 的 `release`。',
      },
    });
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    const { code, hint, problems } = error;
    const details = { hint, problems, cause: error };
    throw new LandfallError(code, `${safeUrl(url)}: ${error.message}`, details);
  }
}
