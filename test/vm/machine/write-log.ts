import { type FileHandle, open } from 'node:fs/promises';

/*
 * What qemu's driver `blklogwrites` writes down: everything that a guest sent to its disk, in the
 * order in which it was done. The format is that of the kernel's dm-log-writes: a superblock, then
 * entries, each a header of one sector and the sectors that were written.
 */

/** One thing that a guest asked of its disk. */
export interface WriteLogEntry {
  /** Bytes from the start of the disk. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
  /** Where in the log the written bytes stand. */
  readonly dataAt: number;
  /** The guest was promised that everything before this is on the disk. */
  readonly isFlush: boolean;
  /** The guest needs these bytes no more; nothing was written. */
  readonly isDiscard: boolean;
}

const magic = 0x6a736677736872n;
const flag = { flush: 1n, discard: 4n };

/**
 * Reads a log from its start. An entry that was being written when qemu was killed ends it.
 * @throws Error when it is no such log
 */
export async function* readWriteLog(log: FileHandle): AsyncGenerator<WriteLogEntry> {
  const superblock = await readAt(log, 0, 28);
  if (superblock?.readBigUInt64LE(0) !== magic) throw new Error('this is no log of writes');
  const sector = superblock.readUInt32LE(24);
  const { size } = await log.stat();
  for (let at = sector; ; ) {
    const header = await readAt(log, at, 32);
    if (header === undefined) return;
    const flags = header.readBigUInt64LE(16);
    const length = Number(header.readBigUInt64LE(8)) * sector;
    const isDiscard = (flags & flag.discard) !== 0n;
    const dataAt = at + sector;
    const end = dataAt + (isDiscard ? 0 : length);
    if ((flags === 0n && length === 0) || end > size) return;
    const offset = Number(header.readBigUInt64LE(0)) * sector;
    yield { offset, length, dataAt, isFlush: (flags & flag.flush) !== 0n, isDiscard };
    at = end;
  }
}

async function readAt(log: FileHandle, at: number, size: number): Promise<Buffer | undefined> {
  const { bytesRead, buffer } = await log.read(Buffer.alloc(size), 0, size, at);
  return bytesRead === size ? buffer : undefined;
}

/** What of a log came onto a disk. */
export interface Replayed {
  /** Bytes that are on the disk now. */
  readonly kept: number;
  /** Bytes that the guest wrote and never had confirmed. */
  readonly lost: number;
}

/**
 * Does to a disk what a log says. `flushed`: as a disk with a cache that lost its power, all that
 * came after the last confirmed flush is lost; `all`: as one that was switched off in good order.
 * The disk is a file with the raw bytes that it had when the log began.
 */
export async function replay(
  logPath: string,
  diskPath: string,
  upTo: 'flushed' | 'all',
): Promise<Replayed> {
  const log = await open(logPath, 'r');
  const disk = await open(diskPath, 'r+');
  try {
    const waiting: WriteLogEntry[] = [];
    let kept = 0;
    for await (const entry of readWriteLog(log)) {
      waiting.push(entry);
      if (entry.isFlush) kept += await writeAll(waiting.splice(0), log, disk);
    }
    if (upTo === 'all') kept += await writeAll(waiting.splice(0), log, disk);
    return { kept, lost: waiting.reduce((sum, entry) => sum + entry.length, 0) };
  } finally {
    await Promise.all([log.close(), disk.close()]);
  }
}

/** A discard leaves the bytes as they are, which a disk may do. */
async function writeAll(
  entries: readonly WriteLogEntry[],
  log: FileHandle,
  disk: FileHandle,
): Promise<number> {
  let written = 0;
  for (const { offset, length, dataAt, isDiscard } of entries) {
    if (isDiscard || length === 0) continue;
    const bytes = Buffer.allocUnsafe(length);
    await log.read(bytes, 0, length, dataAt);
    await disk.write(bytes, 0, length, offset);
    written += length;
  }
  return written;
}
