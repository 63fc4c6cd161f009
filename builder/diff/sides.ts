import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { manifestName } from '#contract/bundle/head.ts';
import { checkLayout } from '#contract/bundle/layout.ts';
import { refusal } from '#contract/bundle/refusals.ts';
import type { Release, ReleaseFile } from '#contract/bundle/release.ts';
import { verifyHead } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '#contract/file-error.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import type { Signer } from '#contract/trust/trust.ts';
import { openBundle } from '../bundle/open-bundle.ts';
import { unverifiedHead } from '../bundle/unverified-head.ts';
import type { Lock } from '../lock/lock.ts';
import { readLock } from '../lock/lock-file.ts';
import { silentReporter } from '../progress/reporter.ts';
import { pinRelease } from '../user-data/pinned-release.ts';
import { readManifest } from '../user-data/read-release.ts';

/** A release to compare. */
export interface ReleaseSide extends AsyncDisposable {
  readonly type: 'bundle' | 'manifest';
  /** As the user wrote it. */
  readonly name: string;
  readonly release: Release;
  /** SHA-256 of release.json, 64 hex digits. */
  readonly manifestSha256: string;
  /** Undefined if the signature was not verified. */
  readonly signer: Signer | undefined;
  /**
   * Reads the SBOM and compares it with its SHA-256 in `release.json`. Undefined if it is not
   * available or too large.
   * @throws LandfallError BUNDLE_CONTENT, BUNDLE_TRUNCATED
   */
  readSbom(): Promise<Uint8Array | undefined>;
}

/** A lock file to compare. */
export interface LockSide extends AsyncDisposable {
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
 * Opens one side of a comparison: `….json` is a release.json, `….yaml` a lock file, any other file a
 * bundle.
 * @param name the path as the user wrote it
 * @param keys trusted keys; without them, signatures are not verified
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, LOCK_INVALID, CONFIG_…, BUNDLE_…; USAGE for a lock
 * file with keys
 */
export async function openSide(
  cwd: string,
  name: string,
  keys: TrustedKeys | undefined,
): Promise<Side> {
  const path = resolve(cwd, name);
  if (/\.ya?ml$/.test(name)) return await openLockSide(path, name, keys);
  const open = name.endsWith('.json') ? openManifestSide : openBundleSide;
  const side = await naming(name, open(path, name, keys));
  return { ...side, readSbom: () => naming(name, side.readSbom()) };
}

/** Names the file in an error of its content, because there are two files. */
async function naming<T>(name: string, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof LandfallError) || !error.code.startsWith('BUNDLE_')) throw error;
    const { code, message, hint, problems } = error;
    throw new LandfallError(code, `${name}: ${message}`, { hint, problems, cause: error });
  }
}

async function openLockSide(
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
    throw new LandfallError('FILE_MISSING', `${path} does not exist`, { hint: 'Check the path.' });
  }
  return { type: 'lock', name, lock, async [Symbol.asyncDispose]() {} };
}

/**
 * Opens a bundle and reads its head. The signature is verified only if trusted keys are given.
 * @param name the path as the user wrote it
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, BUNDLE_…
 */
async function openBundleSide(
  path: string,
  name: string,
  keys: TrustedKeys | undefined,
): Promise<ReleaseSide> {
  const bundle = await openBundle(path, silentReporter);
  try {
    // The report shows a change of the keys and an expired release, so both are accepted.
    const { release, manifestSha256, headSize, signer } = keys
      ? await verifyHead(bundle.content, { keys, allowNewKeys: true })
      : { ...(await unverifiedHead(bundle.content)), signer: undefined };
    checkLayout(release);
    return {
      type: 'bundle',
      name,
      ...{ release, manifestSha256, signer },
      async readSbom() {
        const file = sbomOf(release);
        // A pipe has no size, and only a regular file can be read at an offset.
        if (!file || bundle.size === 0) return undefined;
        return expectSha256(await bundle.readAt(headSize + file.offset, file.size), file);
      },
      [Symbol.asyncDispose]: () => bundle.close(),
    };
  } catch (error) {
    await bundle.close();
    throw error;
  }
}

/**
 * Opens a published `release.json`. If trusted keys are given, its signature is verified, from the file
 * `….json.sig`. Of the files of the release, only the SBOM can be read: as
 * `<name>.sbom.cdx.json` beside `<name>.release.json`, where `landfall build` writes it.
 * @param name the path as the user wrote it
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, BUNDLE_…
 */
async function openManifestSide(
  path: string,
  name: string,
  keys: TrustedKeys | undefined,
): Promise<ReleaseSide> {
  const manifest = await readManifest(path);
  const verified = keys
    ? pinRelease(manifest, await readManifest(`${path}.sig`), { keys, allowNewKeys: true })
    : unsigned(manifest);
  return {
    type: 'manifest',
    name,
    ...verified,
    async readSbom() {
      const file = sbomOf(verified.release);
      if (!file || !path.endsWith(manifestName)) return undefined;
      const beside = `${path.slice(0, -manifestName.length)}${sbom}`;
      const bytes = await readIfPresent(beside, file.size);
      return bytes && expectSha256(bytes, file);
    },
    async [Symbol.asyncDispose]() {},
  };
}

function unsigned(
  manifest: Uint8Array,
): Pick<ReleaseSide, 'release' | 'manifestSha256' | 'signer'> {
  const release = decodeRelease(manifest);
  checkLayout(release);
  return { release, manifestSha256: sha256Hex(manifest), signer: undefined };
}

/** Maximum size of an SBOM in bytes. */
const maxSbomBytes = 16 * 1024 * 1024;

/** Returns the SBOM of a release, unless it is too large to compare. */
export function sbomOf({ files }: Release): ReleaseFile | undefined {
  return files.find(({ path, size }) => path === sbom && size <= maxSbomBytes);
}

/** Reads at most one byte more than expected, so that another file fails the check of its SHA-256. */
async function readIfPresent(path: string, expected: number): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(expected + 1));
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fileError(error, path);
  }
}

/**
 * Returns the bytes of a file if they match `release.json`.
 * @throws LandfallError BUNDLE_CONTENT
 */
export function expectSha256(bytes: Uint8Array, { path, sha256 }: ReleaseFile): Uint8Array {
  if (sha256Hex(bytes) === sha256) return bytes;
  throw refusal('content', `the SHA-256 of ${path} differs from release.json`);
}
