import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/amount.ts';
import type { Transfer } from '../../base/progress/reporter.ts';
import type { OpenBundle } from '../../bundle/archive/open-bundle.ts';
import { shellQuoted } from '../ssh/arguments.ts';
import { lostCode } from '../ssh/connection.ts';
import { lastLines } from '../ssh/printed.ts';
import type { RootShell } from '../ssh/root.ts';
import type { ByteRange } from './bundle-ranges.ts';

/** Bytes that must stay free on the server. */
const reserve = 512 << 20;
/** Bytes that are read at once. */
const chunkSize = 1 << 20;

/** Ranges of a bundle, and the file on the server that gets them. */
interface SentFile {
  readonly bundle: Pick<OpenBundle, 'readAt'>;
  readonly ranges: readonly ByteRange[];
  /** Absolute path. Bytes outside of the ranges are holes. */
  readonly path: string;
}

/**
 * Prepares the folder of a file that is sent, and removes what earlier commands left beside it.
 * @returns bytes of the file that arrived already
 * @throws LandfallError DISK_FULL, COMMAND_FAILED
 */
export async function beginFile(
  root: RootShell,
  { ranges, path }: Pick<SentFile, 'ranges' | 'path'>,
): Promise<number> {
  const [folder, own] = [dirname(dirname(path)), dirname(path)].map(shellQuoted);
  const lines = [
    'set -eu; umask 077',
    `mkdir -p ${own}`,
    `find ${folder} -mindepth 1 -maxdepth 1 ! -path ${own} -exec rm -rf {} +`,
    `stat -c %s ${shellQuoted(path)} 2>/dev/null || echo 0`,
    `df -B1 --output=avail ${own} | tail -n 1`,
  ];
  const { code, stdout, stderr } = await root.run(lines.join('\n'));
  if (code !== 0) throw notWritten(stderr);
  const [position = 0, free = 0] = stdout.split('\n').map(Number);
  // The update copies what it needs into the folder of the release.
  const needed = sizeAfter(ranges, position) + sizeAfter(ranges, 0) + reserve;
  if (free >= needed) return position;
  const message = `the update needs ${formatBytes(needed)} on the server, but ${formatBytes(free)} are free`;
  throw new LandfallError('DISK_FULL', message, {
    hint: {
      en: 'Free some space on the server: `sudo landfall doctor` names what is large.',
      zh: '在服务器上释放空间：`sudo landfall doctor` 会列出占用空间大的内容。',
    },
  });
}

/** Returns the bytes of ranges after a position. */
export function sizeAfter(ranges: readonly ByteRange[], position: number): number {
  return ranges.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, position)), 0);
}

/**
 * Sends the ranges after a position. Each byte is written at its offset, so an interrupted transfer
 * continues at the size of the file.
 * @returns false if the connection is lost
 * @throws LandfallError COMMAND_FAILED, BUNDLE_TRUNCATED
 */
export async function sendRanges(
  root: RootShell,
  { bundle, ranges, path }: SentFile,
  position: number,
  transfer: Pick<Transfer, 'advance'>,
): Promise<boolean> {
  for (const range of ranges) {
    const from = Math.max(range.from, position);
    if (from >= range.to) continue;
    const flags = 'oflag=seek_bytes conv=notrunc status=none';
    const command = `umask 077; exec dd of=${shellQuoted(path)} bs=64K seek=${from} ${flags}`;
    const content = chunksOf(bundle, { from, to: range.to }, transfer);
    const { code, stderr } = await root.connection.send(root.wrap(command), content);
    if (code === lostCode) return false;
    if (code !== 0) throw notWritten(stderr);
  }
  return true;
}

async function* chunksOf(
  bundle: Pick<OpenBundle, 'readAt'>,
  { from, to }: ByteRange,
  transfer: Pick<Transfer, 'advance'>,
): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += chunkSize) {
    const chunk = await bundle.readAt(at, Math.min(chunkSize, to - at));
    yield chunk;
    transfer.advance(chunk.length);
  }
}

function notWritten(printed: string): LandfallError {
  return new LandfallError('COMMAND_FAILED', 'the bundle cannot be written on the server', {
    hint: {
      en: 'Check the free space of the server with `df -h`, and run the command again.',
      zh: '用 `df -h` 检查服务器的剩余空间，再运行一次。',
    },
    problems: lastLines(printed),
  });
}
