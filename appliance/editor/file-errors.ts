import { LandfallError } from '#contract/errors.ts';

const denied = ['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'ENOTDIR', 'ELOOP', 'ENXIO'];

/** Converts a file system error to a LandfallError with a hint. Returns other errors unchanged. */
export function fileErrorOf(cause: unknown, path: string): unknown {
  const code = codeOf(cause);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new LandfallError('DISK_FULL', `cannot write ${path}: the disk is full`, {
      hint: 'Free disk space and run the command again.',
      cause,
    });
  }
  if (!denied.includes(code)) return cause;
  return new LandfallError('FILE_ACCESS', `cannot open or write ${path} (${code})`, {
    hint: 'Check the permissions of the file and of its folder. The settings were not changed.',
    cause,
  });
}

/** Returns whether an error means that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
