import type { ByteReader } from './byte-reader.ts';
import { headMembers } from './head.ts';
import { readHeader, readPadding } from './read-member.ts';
import { refusal } from './refusals.ts';
import type { TarEntry } from './tar-header.ts';

/** The head of a bundle as read: bytes that nobody has judged yet. */
export interface BundleHead {
  /** Content by member name. Required members are there; optional ones may not be. */
  readonly members: ReadonlyMap<string, Uint8Array>;
  /** The time that all members must share, in seconds since 1970. */
  readonly mtime: number;
  /** Where the head ends and the offsets of the manifest begin. */
  readonly size: number;
  /** The header that was read to learn that the head was over; undefined at the end of the archive. */
  readonly next: TarEntry | undefined;
}

/**
 * Reads the head of a bundle and the header behind it, capped in every direction.
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
        `the bundle has ${entry?.name ?? 'nothing'} where ${name} belongs`,
      );
    }
    if (entry.size > maxBytes) {
      throw refusal('head-capped', `${name} is ${entry.size} bytes; at most ${maxBytes} are taken`);
    }
    if (entry.executable) throw refusal('canonical-header', `${name} is marked as a program`);
    expectTime(entry, mtime);
    members.set(name, await reader.take(entry.size));
    await readPadding(reader, entry);
    size = reader.position;
    entry = await readHeader(reader);
  }
  return { members, mtime, size, next: entry };
}

/** @throws LandfallError BUNDLE_HEADER when a member has a time of its own. */
export function expectTime(entry: TarEntry, mtime: number): void {
  if (entry.mtime !== mtime) throw refusal('one-time', `${entry.name} carries a time of its own`);
}
