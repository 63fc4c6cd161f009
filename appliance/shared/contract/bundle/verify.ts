import { areEqual } from '../text/bytes.ts';
import { sha256Hex } from '../trust/digest.ts';
import { isProvenanceOf } from '../trust/provenance.ts';
import { sigstoreBundle } from '../trust/sigstore.ts';
import { authenticate, checkRelease, type Signer, type TrustPolicy } from '../trust/trust.ts';
import { ByteReader } from './byte-reader.ts';
import { decodeRelease } from './decode-release.ts';
import {
  checksumsName,
  manifestName,
  provenanceName,
  signatureName,
  sigstoreName,
} from './head.ts';
import { checkLayout, checksumsOf } from './layout.ts';
import { checkModels } from './model-files.ts';
import { type FileSink, readFiles } from './read-files.ts';
import { type BundleHead, readHead } from './read-head.ts';
import { refusal } from './refusals.ts';
import type { Release } from './release.ts';
import { blockSize } from './tar-header.ts';

export type { FileSink } from './read-files.ts';

export interface VerifiedHead {
  readonly release: Release;
  /** The bytes of release.json. */
  readonly manifest: Uint8Array;
  readonly signer: Signer;
  /** SHA-256 of release.json, 64 hex digits. User-data pins it. */
  readonly manifestSha256: string;
  /** Size of the head in bytes. Offsets are relative to its end. */
  readonly headSize: number;
}

export interface VerifiedBundle extends VerifiedHead {
  /** Bytes of the whole bundle. */
  readonly size: number;
}

/**
 * Verifies a whole bundle as a stream, with constant memory and one hash per byte. Pass a sink to
 * unpack in the same pass. Always closes the source. Errors of the source and the sink pass
 * unchanged.
 * @throws LandfallError with a BUNDLE_ code; `refusals.ts` has the rules.
 */
export async function verifyBundle(
  source: AsyncIterable<Uint8Array>,
  policy: TrustPolicy,
  sink: FileSink = discard,
): Promise<VerifiedBundle> {
  const reader = new ByteReader(source);
  try {
    const head = await readHead(reader);
    const verified = checkHead(head, policy);
    await readFiles(reader, head, verified.release, sink);
    await expectEnd(reader);
    return { ...verified, size: reader.position };
  } finally {
    await reader.close();
  }
}

/**
 * Verifies the head only: signature and manifest, not the files.
 * @throws LandfallError with a BUNDLE_ code
 */
export async function verifyHead(
  source: AsyncIterable<Uint8Array>,
  policy: TrustPolicy,
): Promise<VerifiedHead> {
  const reader = new ByteReader(source);
  try {
    return checkHead(await readHead(reader), policy);
  } finally {
    await reader.close();
  }
}

/** Checks the signature before parsing, and the members derived from the manifest last. */
function checkHead(head: BundleHead, policy: TrustPolicy): VerifiedHead {
  const manifest = member(head, manifestName);
  const signature = member(head, signatureName);
  const signer = authenticate(manifest, signature, policy);
  const release = decodeRelease(manifest);
  checkRelease(release, signer, policy);
  checkLayout(release);
  checkModels(release);
  if (head.mtime * 1000 !== Date.parse(release.created)) {
    throw refusal(
      'one-time',
      'the time of the members differs from the creation time of the release',
    );
  }
  if (!areEqual(member(head, sigstoreName), sigstoreBundle(manifest, signature, signer.key))) {
    throw refusal(
      'same-sigstore',
      `${sigstoreName} does not contain the signature of release.json`,
    );
  }
  if (!areEqual(member(head, checksumsName), checksumsOf(release, manifest))) {
    throw refusal('checksums', `${checksumsName} differs from release.json`);
  }
  const provenance = head.members.get(provenanceName);
  if (provenance && !isProvenanceOf(provenance, manifest, signer.key)) {
    throw refusal('same-provenance', `${provenanceName} does not refer to this release`);
  }
  return {
    ...{ release, manifest, signer },
    ...{ manifestSha256: sha256Hex(manifest), headSize: head.size },
  };
}

/** Checks the end of the archive. The first zero block was already read in place of a header. */
async function expectEnd(reader: ByteReader): Promise<void> {
  const second = await reader.take(blockSize);
  if (second.some((byte) => byte !== 0) || !(await reader.atEnd())) {
    throw refusal('nothing-after', 'the bundle has trailing data');
  }
}

function member(head: BundleHead, name: string): Uint8Array {
  const bytes = head.members.get(name);
  if (!bytes) throw refusal('head-first', `${name} is missing`);
  return bytes;
}

/** The sink for verification without unpacking. */
async function discard(): Promise<void> {}
