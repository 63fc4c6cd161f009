import { Sha256 } from '#platform/sha256.ts';
import { toHex } from '../text/bytes.ts';
import type { ByteReader } from './byte-reader.ts';
import { type BundleHead, expectTime } from './read-head.ts';
import { readHeader, readPadding } from './read-member.ts';
import { refusal } from './refusals.ts';
import type { Release, ReleaseFile } from './release.ts';

/**
 * Takes the content of a file while it is being verified. The bytes are proven only when the
 * iteration ends without an error: write to a temporary name, rename afterwards. A chunk is valid
 * until the next one is asked for, the content until the returned promise settles. A sink may stop
 * early or not begin: what it leaves is read and proven all the same.
 */
export type FileSink = (file: ReleaseFile, content: AsyncIterable<Uint8Array>) => Promise<void>;

/**
 * Reads what follows the head and holds it against the manifest, member by member.
 * @throws LandfallError BUNDLE_MEMBER, BUNDLE_CONTENT, BUNDLE_HEADER, BUNDLE_TRUNCATED
 */
export async function readFiles(
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
    await passOn(reader, file, sink);
    await readPadding(reader, entry);
    entry = await readHeader(reader);
  }
  if (entry) throw refusal('members', `${entry.name} is in the bundle but not in release.json`);
}

/** Passes a file's bytes on and hashes them; fails at their end when they are not what was signed. */
async function passOn(reader: ByteReader, file: ReleaseFile, sink: FileSink): Promise<void> {
  const end = reader.position + file.size;
  const hash = new Sha256();
  await sink(file, provenContent());
  for await (const chunk of reader.stream(end - reader.position)) hash.update(chunk);
  expectDigest();

  async function* provenContent(): AsyncGenerator<Uint8Array> {
    for await (const chunk of reader.stream(file.size)) {
      hash.update(chunk);
      yield chunk;
    }
    // Here for the sink, which must not rename what is wrong; above for sinks that stopped early.
    expectDigest();
  }

  function expectDigest(): void {
    if (toHex(hash.digest()) === file.sha256) return;
    throw refusal('content', `${file.path} does not have the SHA-256 that release.json gives`);
  }
}
