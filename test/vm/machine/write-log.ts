import { type FileHandle, open } from 'node:fs/promises';

/**
 * Log of qemu's driver `blklogwrites`: all requests of a guest to its disk, in order. The format is
 * that of the kernel's dm-log-writes: a superblock, then entries, each a header of one sector and
 * the written sectors.
 */

/** A request of a guest to its disk. */
export interface WriteLogEntry {
  /** Bytes from the start of the disk. */
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
  /** Position of the written bytes in the log. */
  readonly dataAt: number;
  /** A flush: the guest may assume that everything before it is on disk. */
  readonly isFlush: boolean;
  /** A discard: the guest no longer needs these bytes; nothing was written. */
  readonly isDiscard: boolean;
}

const magic = 0x6a736677736872n;
const flag = { flush: 1n, discard: 4n };

/**
 * Reads a log from its start. An entry that was incomplete when qemu was killed ends it.
 * @throws Error if it is not such a log
 */
export async function* readWriteLog(log: FileHandle): AsyncGenerator<WriteLogEntry> {
  const superblock = await readAt(log, 0, 28);
  if (superblock?.readBigUInt64LE(0) !== magic) throw new Error('not a write log');
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

/** Result of applying a log to a disk. */
export interface Replayed {
  /** Bytes that are on disk now. */
  readonly kept: number;
  /** Bytes that the guest wrote and never flushed. */
  readonly lost: number;
}

/**
 * Applies a log to a disk. `flushed` drops all writes after the last completed flush, like a
 * volatile cache at a power cut; `all` keeps them, like a regular shutdown. The disk is a raw file
 * in its state at the start of the log.
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

/** A discard leaves the bytes unchanged, as a disk is allowed to. */
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
