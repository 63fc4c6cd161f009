import { LandfallError } from '#contract/errors.ts';

/** What was tried, for the message. */
interface DiskAttempt {
  /** As in `cannot <action> <path>`. */
  readonly action: string;
  readonly path: string;
  /** Bytes that are still to be written. */
  readonly needed?: number | undefined;
}

const noSpace = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * A failure of the file system as an error of ours: DISK_FULL or FILE_ACCESS. What is one already,
 * or has nothing to do with files, comes back as it is.
 */
export function diskError(cause: unknown, { action, path, needed }: DiskAttempt): unknown {
  if (cause instanceof LandfallError || !(cause instanceof Error)) return cause;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  if (noSpace.has(code)) {
    const missing = needed === undefined ? 'more bytes' : `${needed} more bytes`;
    return new LandfallError('DISK_FULL', `cannot ${action} ${path}: the disk is full`, {
      hint: `Make room for ${missing}, or move the cache with XDG_CACHE_HOME.`,
      cause,
    });
  }
  if (!/^E[A-Z0-9]+$/.test(code)) return cause;
  return new LandfallError('FILE_ACCESS', `cannot ${action} ${path} (${code})`, {
    hint: 'Check that the folder exists and that you may write there, or move the cache with XDG_CACHE_HOME.',
    cause,
  });
}
