import { createHash } from 'node:crypto';
import { ByteReader } from './byte-reader.ts';
import { checksumsOf } from './checksums.ts';
import {
  checksumsName,
  manifestName,
  provenanceName,
  signatureName,
  sigstoreName,
} from './head.ts';
import { judgeLayout } from './layout.ts';
import { isProvenanceOf } from './provenance.ts';
import { type BundleHead, expectTime, readHead } from './read-head.ts';
import { readHeader, readPadding } from './read-member.ts';
import { refusal } from './refusals.ts';
import { decodeRelease, type Release, type ReleaseFile } from './release.ts';
import { sigstoreBundle } from './sigstore.ts';
import { blockSize } from './tar-header.ts';
import { authenticate, judgeRelease, type Signer, type TrustPolicy } from './trust.ts';

/**
 * Takes the content of a file while it is being verified. The bytes are proven only when the
 * iteration ends without an error: write to a temporary name, rename afterwards.
 */
export type FileSink = (file: ReleaseFile, content: AsyncIterable<Buffer>) => Promise<void>;

export interface VerifiedHead {
  readonly release: Release;
  readonly signer: Signer;
  /** SHA-256 of release.json, 64 hex digits: what user-data pins. */
  readonly manifestSha256: string;
  /** Bytes from the start of the bundle to where offsets begin. */
  readonly headSize: number;
}

export interface VerifiedBundle extends VerifiedHead {
  /** Bytes of the whole bundle. */
  readonly size: number;
}

/**
 * Verifies a whole bundle while it streams by: flat memory, each byte hashed once, nothing
 * believed before it is proven. Give a sink to unpack in the same pass.
 * @throws LandfallError with a BUNDLE_ code; `refusals.ts` has the rules.
 */
export async function verifyBundle(
  source: AsyncIterable<Uint8Array>,
  policy: TrustPolicy,
  sink: FileSink = drain,
): Promise<VerifiedBundle> {
  const reader = new ByteReader(source);
  try {
    const head = await readHead(reader);
    const verified = judgeHead(head, policy);
    await readFiles(reader, head, verified.release, sink);
    await expectEnd(reader);
    return { ...verified, size: reader.position };
  } finally {
    await reader.close();
  }
}

/**
 * Verifies the head alone: who signed what, without reading on. Says nothing about the files.
 * @throws LandfallError with a BUNDLE_ code
 */
export async function verifyHead(
  source: AsyncIterable<Uint8Array>,
  policy: TrustPolicy,
): Promise<VerifiedHead> {
  const reader = new ByteReader(source);
  try {
    return judgeHead(await readHead(reader), policy);
  } finally {
    await reader.close();
  }
}

/** Signature first, parsing after, the members that follow from the manifest last. */
function judgeHead(head: BundleHead, policy: TrustPolicy): VerifiedHead {
  const manifest = member(head, manifestName);
  const signature = member(head, signatureName);
  const signer = authenticate(manifest, signature, policy);
  const release = decodeRelease(manifest);
  judgeRelease(release, signer, policy);
  judgeLayout(release);
  if (head.mtime * 1000 !== Date.parse(release.created)) {
    throw refusal('one-time', 'the members do not carry the time at which the release was created');
  }
  if (!member(head, sigstoreName).equals(sigstoreBundle(manifest, signature, signer.key))) {
    throw refusal('same-sigstore', `${sigstoreName} does not carry the signature of release.json`);
  }
  if (!member(head, checksumsName).equals(checksumsOf(release, manifest))) {
    throw refusal('checksums', `${checksumsName} does not say what release.json says`);
  }
  const provenance = head.members.get(provenanceName);
  if (provenance && !isProvenanceOf(provenance, manifest, signer.key)) {
    throw refusal('same-provenance', `${provenanceName} is not about this release`);
  }
  const manifestSha256 = createHash('sha256').update(manifest).digest('hex');
  return { release, signer, manifestSha256, headSize: head.size };
}

async function readFiles(
  reader: ByteReader,
  head: BundleHead,
  release: Release,
  sink: FileSink,
): Promise<void> {
  let entry = head.next;
  for (const file of release.files) {
    if (!entry || entry.name !== file.path) {
      throw refusal(
        'members',
        `the bundle has ${entry?.name ?? 'its end'} where ${file.path} belongs`,
      );
    }
    if (entry.size !== file.size || entry.executable !== file.executable) {
      throw refusal('members', `${file.path} has another size or mode than release.json says`);
    }
    expectTime(entry, head.mtime);
    await sink(file, proven(file, reader.stream(file.size)));
    await readPadding(reader, entry);
    entry = await readHeader(reader);
  }
  if (entry) throw refusal('members', `${entry.name} is in the bundle but not in release.json`);
}

/** Passes a file's bytes on and hashes them; fails at the end when they are not what was signed. */
async function* proven(file: ReleaseFile, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== file.sha256) {
    throw refusal('content', `${file.path} does not have the SHA-256 that release.json gives`);
  }
}

/** The first zero block was read as a missing header; the second one and the end must follow. */
async function expectEnd(reader: ByteReader): Promise<void> {
  const second = await reader.take(blockSize);
  if (second.some((byte) => byte !== 0) || !(await reader.atEnd())) {
    throw refusal('nothing-after', 'bytes follow the end of the archive');
  }
}

function member(head: BundleHead, name: string): Buffer {
  const bytes = head.members.get(name);
  if (!bytes) throw refusal('head-first', `${name} is missing`);
  return bytes;
}

async function drain(_file: ReleaseFile, content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}
