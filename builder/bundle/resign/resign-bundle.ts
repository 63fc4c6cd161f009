import { type FileHandle, open, realpath, rm, stat } from 'node:fs/promises';
import { provenanceName } from '#contract/bundle/head.ts';
import type { Release } from '#contract/bundle/release.ts';
import { encodeTarHeader, paddingAfter } from '#contract/bundle/tar-header.ts';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import { trustedKeysOf } from '#contract/trust/keys.ts';
import { provenancePayload } from '#contract/trust/provenance.ts';
import type { Signer, TrustPolicy } from '#contract/trust/trust.ts';
import { fileError, orFileError } from '#files/file-error.ts';
import { moveIntoPlace } from '#files/move-into-place.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import { openBundle } from '../archive/open-bundle.ts';
import { headOfBundle } from '../archive/unverified-head.ts';
import type { SigningKey } from '../sign/private-key.ts';
import { type SignedHead, signHead } from '../sign/sign-release.ts';

/** A bundle with new signatures. */
export interface ResignedBundle {
  readonly release: Release;
  /** SHA-256 of release.json, which does not change. */
  readonly manifestSha256: string;
  readonly head: SignedHead;
  /** The key that had signed it. */
  readonly before: Signer;
}

/**
 * Signs a bundle with another key. Only its head changes: the manifest stays, the members that follow
 * from it are generated again, and offsets are relative to the end of the head. The new file replaces
 * the old one when it is complete and every byte of the old one is verified.
 * @throws LandfallError BUNDLE_… for a bundle that is damaged or not signed by an announced key; USAGE
 * for a bundle in parts; FILE_MISSING, FILE_ACCESS, DISK_FULL
 */
export async function resignBundle(
  given: string,
  signer: SigningKey,
  reporter: Reporter,
): Promise<ResignedBundle> {
  const path = await regularFile(given);
  const { release, members, manifestSha256, headSize } = await headOfBundle(path);
  const provenance = members.get(provenanceName);
  const head = signHead(release, provenance && provenancePayload(provenance), signer);
  const { release: keys, recovery } = trustedKeysOf(release.keys);
  const policy: TrustPolicy = {
    keys: {
      release: [...keys, ...(recovery ? [recovery] : []), signer.public],
      recovery: undefined,
    },
    // A release that changes the keys is what the recovery key signs.
    allowNewKeys: true,
    pinned: manifestSha256,
  };
  const unfinished = `${path}.landfall-new`;
  try {
    const old = { release, headSize };
    const before = await writeResigned(path, unfinished, { head, old, policy, reporter });
    await moveIntoPlace(unfinished, path);
    return { release, manifestSha256, head, before };
  } catch (error) {
    await rm(unfinished, { force: true });
    throw fileError(error, path);
  }
}

/** Follows links, because the file at the end of them is replaced. */
async function regularFile(given: string): Promise<string> {
  if (/\.tar\.\d+$/.test(given)) {
    const joined = given.replace(/\.\d+$/, '');
    throw new LandfallError('USAGE', `${given} is a part of a bundle`, {
      hint: `Join the parts first: cat ${joined}.* > ${joined}`,
    });
  }
  const path = await orFileError(given, realpath(given));
  if ((await stat(path)).isFile()) return path;
  throw new LandfallError('FILE_ACCESS', `${given} is not a regular file`, {
    hint: 'Use the path of a bundle (.tar).',
  });
}

interface HeadChange {
  readonly head: SignedHead;
  /** The head before. */
  readonly old: { readonly release: Release; readonly headSize: number };
  readonly policy: TrustPolicy;
  readonly reporter: Reporter;
}

/** Writes the new head and copies the rest, in one pass with the verification. */
async function writeResigned(
  path: string,
  unfinished: string,
  { head, old, policy, reporter }: HeadChange,
): Promise<Signer> {
  const { mode } = await stat(path);
  await rm(unfinished, { force: true });
  await using file = await open(unfinished, 'wx', mode & 0o777);
  const mtime = Date.parse(old.release.created) / 1000;
  for (const [name, bytes] of head) {
    await file.writeFile(encodeTarHeader({ name, size: bytes.length, mtime, executable: false }));
    await file.writeFile(bytes);
    await file.writeFile(new Uint8Array(paddingAfter(bytes.length)));
  }
  await using bundle = await openBundle(path, reporter);
  const copied = copyAfter(bundle.content, old.headSize, file);
  const { signer, headSize } = await verifyBundle(copied, policy);
  if (headSize === old.headSize) return signer;
  throw new LandfallError('FILE_ACCESS', `${path} was changed while it was read`, {
    hint: 'Run the command again.',
  });
}

/** Passes chunks on, and writes the bytes after the head to a file. */
async function* copyAfter(
  content: AsyncIterable<Buffer>,
  headSize: number,
  file: FileHandle,
): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of content) {
    const from = Math.min(Math.max(headSize - position, 0), chunk.length);
    position += chunk.length;
    if (from < chunk.length) await file.writeFile(chunk.subarray(from));
    yield chunk;
  }
}
