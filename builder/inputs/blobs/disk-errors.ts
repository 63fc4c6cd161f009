import { LandfallError } from '#contract/errors.ts';

/** The failed operation, for the message. */
interface DiskAttempt {
  /** As in `cannot <action> <path>`. */
  readonly action: string;
  readonly path: string;
  /** Bytes that are still to be written. */
  readonly needed?: number | undefined;
}

const noSpace = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Converts a file system error to DISK_FULL or FILE_ACCESS. Returns any other error, and a
 * LandfallError, unchanged.
 */
export function diskError(cause: unknown, { action, path, needed }: DiskAttempt): unknown {
  if (cause instanceof LandfallError || !(cause instanceof Error)) return cause;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (noSpace.has(code)) {
    const missing = needed === undefined ? 'more bytes' : `${needed} more bytes`;
    return new LandfallError('DISK_FULL', `cannot ${action} ${path}: the disk is full`, {
      hint: {
        en: `Free space for ${missing}, or move the cache with XDG_CACHE_HOME.`,
        zh: `释放磁盘空间${needed === undefined ? '' : `（还需 ${needed}）`}，或用 XDG_CACHE_HOME 移动缓存。`,
      },
      cause,
    });
  }
  if (!/^E[A-Z0-9]+$/.test(code)) return cause;
  return new LandfallError('FILE_ACCESS', `cannot ${action} ${path} (${code})`, {
    hint: 'Check that the folder exists and is writable, or move the cache with XDG_CACHE_HOME.',
    cause,
  });
}
