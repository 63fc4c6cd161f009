import type { ByteReader } from './byte-reader.ts';
import { headMembers } from './head.ts';
import { readHeader, readPadding } from './read-member.ts';
import { refusal } from './refusals.ts';
import type { TarEntry } from './tar-header.ts';

/** The unverified head of a bundle. */
export interface BundleHead {
  /** Content by member name. Always has the required members. */
  readonly members: ReadonlyMap<string, Uint8Array>;
  /** The time that all members must share, in seconds since 1970. */
  readonly mtime: number;
  /** Size of the head in bytes. The manifest's offsets are relative to its end. */
  readonly size: number;
  /** The first header after the head; undefined at the end of the archive. */
  readonly next: TarEntry | undefined;
}

/**
 * Reads the head of a bundle and the next header, with limits on every size.
 * @throws LandfallError BUNDLE_HEAD, BUNDLE_HEADER, BUNDLE_TRUNCATED
 */
export async function readHead(reader: ByteReader): Promise<BundleHead> {
  const members = new Map<string, Uint8Array>();
  let size = 0;
  let entry = await readHeader(reader);
  const mtime = entry?.mtime ?? 0;
  for (const { name, maxBytes, required } of headMembers) {
    if (entry?.name !== name) {
      if (!required) continue;
      throw refusal(
        'head-first',
        `expected ${name} in the bundle, found ${entry?.name ?? 'the end of the archive'}`,
      );
    }
    if (entry.size > maxBytes) {
      throw refusal('head-capped', `${name} has ${entry.size} bytes, the maximum is ${maxBytes}`);
    }
    if (entry.executable) throw refusal('canonical-header', `${name} must not be executable`);
    expectTime(entry, mtime);
    members.set(name, await reader.take(entry.size));
    await readPadding(reader, entry);
    size = reader.position;
    entry = await readHeader(reader);
  }
  return { members, mtime, size, next: entry };
}

/** Checks that a member has the common time. @throws LandfallError BUNDLE_HEADER */
export function expectTime(entry: TarEntry, mtime: number): void {
  if (entry.mtime !== mtime)
    throw refusal('one-time', `the time of ${entry.name} differs from the other members`);
}
