import { resolve } from 'node:path';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { checkLayout } from '#contract/bundle/layout.ts';
import { refusal } from '#contract/bundle/refusals.ts';
import type { Release, ReleaseFile } from '#contract/bundle/release.ts';
import { verifyHead } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import type { Signer } from '#contract/trust/trust.ts';
import { orFileError } from '#files/file-error.ts';
import { readRegular } from '#files/open-regular.ts';
import { silentReporter } from '../../base/progress/reporter.ts';
import type { Lock } from '../../inputs/lock/lock.ts';
import { readLock } from '../../inputs/lock/lock-file.ts';
import { openBundle } from '../archive/open-bundle.ts';
import { unverifiedHead } from '../archive/unverified-head.ts';
import { pinRelease } from '../released/pinned-release.ts';
import { readManifest } from '../released/read-release.ts';

/** A release to compare. */
export interface ReleaseSide {
  readonly type: 'bundle' | 'manifest';
  /** As the user wrote it. */
  readonly name: string;
  readonly release: Release;
  /** SHA-256 of release.json, 64 hex digits. */
  readonly manifestSha256: string;
  /** Undefined if the signature was not verified. */
  readonly signer: Signer | undefined;
  /** The SBOM, with the SHA-256 in `release.json`. Undefined if it is not available or too large. */
  readonly sbom: Uint8Array | undefined;
}

/** A lock file to compare. */
export interface LockSide {
  readonly type: 'lock';
  readonly name: string;
  readonly lock: Lock;
}

export type Side = ReleaseSide | LockSide;

/** A pair of sides: what was, and what replaces it. */
export interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

/**
 * Reads one side of a comparison: `….json` is a release.json, `….yaml` a lock file, any other file a
 * bundle.
 * @param name the path as the user wrote it
 * @param keys trusted keys; without them, signatures are not verified
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, LOCK_INVALID, CONFIG_…, BUNDLE_…; USAGE for a lock
 * file with keys
 */
export async function readSide(
  cwd: string,
  name: string,
  keys: TrustedKeys | undefined,
): Promise<Side> {
  const path = resolve(cwd, name);
  if (/\.ya?ml$/.test(name)) return await readLockSide(path, name, keys);
  const read = name.endsWith('.json') ? readManifestSide : readBundleSide;
  try {
    return { name, ...(await read(path, keys)) };
  } catch (error) {
    // The error of its content does not name the file, and there are two.
    if (!(error instanceof LandfallError) || !error.code.startsWith('BUNDLE_')) throw error;
    const { code, message, hint, problems } = error;
    throw new LandfallError(code, `${name}: ${message}`, { hint, problems, cause: error });
  }
}

async function readLockSide(
  path: string,
  name: string,
  keys: TrustedKeys | undefined,
): Promise<LockSide> {
  if (keys) {
    throw new LandfallError('USAGE', `${name} is a lock file, which has no signature to verify`, {
      hint: 'Leave out --key and --recovery-key.',
    });
  }
  const lock = await readLock(path, 'Use an appliance.lock.yaml that `landfall lock` wrote.');
  if (!lock) {
    throw new LandfallError('FILE_MISSING', `${path} does not exist`, {
      hint: { en: 'Check the path.', zh: '检查路径。' },
    });
  }
  return { type: 'lock', name, lock };
}

/**
 * Reads the head of a bundle and its SBOM. The signature is verified only if trusted keys are given.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, BUNDLE_…
 */
async function readBundleSide(
  path: string,
  keys: TrustedKeys | undefined,
): Promise<Omit<ReleaseSide, 'name'>> {
  await using bundle = await openBundle(path, silentReporter);
  // The report shows a change of the keys and an expired release, so both are accepted.
  const { release, manifestSha256, headSize, signer } = keys
    ? await verifyHead(bundle.content, { keys, allowNewKeys: true })
    : { ...(await unverifiedHead(bundle.content)), signer: undefined };
  checkLayout(release);
  const file = sbomOf(release);
  // A pipe has no size, and only a regular file can be read at an offset.
  const bytes =
    file && bundle.size > 0
      ? expectSha256(await bundle.readAt(headSize + file.offset, file.size), file)
      : undefined;
  return { type: 'bundle', release, manifestSha256, signer, sbom: bytes };
}

/**
 * Reads a published `release.json`, and its SBOM if it is beside it: `<name>.sbom.cdx.json` beside
 * `<name>.release.json`, where `landfall build` writes it. The signature, in `….json.sig`, is verified
 * only if trusted keys are given.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, BUNDLE_…
 */
async function readManifestSide(
  path: string,
  keys: TrustedKeys | undefined,
): Promise<Omit<ReleaseSide, 'name'>> {
  const manifest = await readManifest(path);
  const { release, manifestSha256, signer } = keys
    ? pinRelease(manifest, await readManifest(`${path}.sig`), { keys, allowNewKeys: true })
    : { release: decodeRelease(manifest), manifestSha256: sha256Hex(manifest), signer: undefined };
  checkLayout(release);
  const file = sbomOf(release);
  const beside = `${path.slice(0, -manifestName.length)}${sbom}`;
  const bytes =
    file && path.endsWith(manifestName)
      ? await orFileError(beside, readRegular(beside, maxSbomBytes))
      : undefined;
  return {
    ...{ type: 'manifest', release, manifestSha256, signer },
    sbom: file && bytes && expectSha256(bytes, file),
  };
}

/** Maximum size of an SBOM in bytes. */
const maxSbomBytes = 16 * 1024 * 1024;

/** Returns the SBOM of a release, unless it is too large to compare. */
function sbomOf({ files }: Release): ReleaseFile | undefined {
  return files.find(({ path, size }) => path === sbom && size <= maxSbomBytes);
}

/**
 * Returns the bytes of a file if they match `release.json`.
 * @throws LandfallError BUNDLE_CONTENT
 */
function expectSha256(bytes: Uint8Array, { path, sha256 }: ReleaseFile): Uint8Array {
  if (sha256Hex(bytes) === sha256) return bytes;
  throw refusal('content', `the SHA-256 of ${path} differs from release.json`);
}
