import { resolve } from 'node:path';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { headMembers, manifestName, signatureName } from '#contract/bundle/head.ts';
import { checkLayout } from '#contract/bundle/layout.ts';
import { checkModels } from '#contract/bundle/model-files.ts';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { type TrustedKeys, trustedKeysOf } from '#contract/trust/keys.ts';
import type { Signer } from '#contract/trust/trust.ts';
import { type DownloadDeps, downloadBytes } from '../../inputs/sources/download-bytes.ts';
import { pinRelease } from '../released/pinned-release.ts';
import { readManifest } from '../released/read-release.ts';

/** A `release.json` as it was published. */
export interface PublishedRelease {
  readonly release: Release;
  readonly manifest: Uint8Array;
  /** Undefined if the signature was not published beside the manifest. */
  readonly signer: Signer | undefined;
}

/**
 * Reads a published `release.json` with its signature, from a file or URL and `….sig` beside it. The
 * signature may be missing only if no key is given.
 * @param source a path, or an http or https URL
 * @param keys trusted keys; undefined: those that the release announces
 * @throws LandfallError USAGE, FILE_MISSING, FILE_ACCESS, BUNDLE_…, HTTP_STATUS, NETWORK_…
 */
export async function readPublished(
  source: string,
  cwd: string,
  keys: TrustedKeys | undefined,
  deps: DownloadDeps,
): Promise<PublishedRelease> {
  const url = /^https?:\/\//i.test(source) ? urlOf(source) : undefined;
  const path = resolve(cwd, source);
  const manifest = url
    ? await downloadBytes(url, limitOf(manifestName), deps)
    : await readManifest(path);
  const reading = url
    ? downloadBytes(signatureUrl(url), limitOf(signatureName), deps)
    : readManifest(`${path}.sig`);
  const signature = await (keys ? reading : orMissing(reading));
  if (signature) {
    const trusted = keys ?? trustedKeysOf(decodeRelease(manifest).keys);
    const policy = { keys: trusted, allowNewKeys: true };
    const { release, signer } = pinRelease(manifest, signature, policy);
    return { release, manifest, signer };
  }
  const release = decodeRelease(manifest);
  checkLayout(release);
  checkModels(release);
  return { release, manifest, signer: undefined };
}

function urlOf(source: string): URL {
  if (URL.canParse(source)) return new URL(source);
  throw new LandfallError('USAGE', '--reproduce is not a valid URL', {
    hint: 'Use the URL of a file such as https://example.com/landfall-1.2.0-amd64.release.json',
  });
}

function signatureUrl(manifest: URL): URL {
  const url = new URL(manifest);
  url.pathname += '.sig';
  return url;
}

function limitOf(member: string): number {
  return headMembers.find(({ name }) => name === member)?.maxBytes ?? 0;
}

async function orMissing(reading: Promise<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return await reading;
  } catch (error) {
    const isMissing = error instanceof LandfallError && error.code === 'FILE_MISSING';
    const isAbsent = error instanceof Error && 'status' in error && error.status === 404;
    if (isMissing || isAbsent) return undefined;
    throw error;
  }
}
