import { Sha256 } from '#platform/sha256.ts';
import { toHex } from '../text/bytes.ts';
import type { ByteReader } from './byte-reader.ts';
import { type BundleHead, expectTime } from './read-head.ts';
import { readHeader, readPadding } from './read-member.ts';
import { refusal } from './refusals.ts';
import type { Release, ReleaseFile } from './release.ts';

/**
 * Consumes the content of a file during verification. The bytes are verified only when the
 * iteration ends without an error: write to a temporary name and rename it afterwards. A chunk is
 * valid until the next one is requested, the content until the returned promise settles. A sink may
 * stop early or skip the file; the rest is verified regardless.
 */
export type FileSink = (file: ReleaseFile, content: AsyncIterable<Uint8Array>) => Promise<void>;

/**
 * Reads the members after the head and compares them with the manifest.
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
        `expected ${file.path} in the bundle, found ${entry?.name ?? 'the end of the archive'}`,
      );
    }
    if (entry.size !== file.size || entry.executable !== file.executable) {
      throw refusal('members', `the size or mode of ${file.path} differs from release.json`);
    }
    expectTime(entry, head.mtime);
    await passOn(reader, file, sink);
    await readPadding(reader, entry);
    entry = await readHeader(reader);
  }
  if (entry) throw refusal('members', `${entry.name} is in the bundle but not in release.json`);
}

/** Passes a file's content to the sink and verifies its digest at the end. */
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
    // Checked here so that the sink does not rename a wrong file, and above for a sink that stops
    // early.
    expectDigest();
  }

  function expectDigest(): void {
    if (toHex(hash.digest()) === file.sha256) return;
    throw refusal('content', `the SHA-256 of ${file.path} differs from release.json`);
  }
}
