import { type ErrorCode, LandfallError } from '#contract/errors.ts';

const meanings: Readonly<Record<string, readonly [code: ErrorCode, text: string, hint: string]>> = {
  ENOENT: ['FILE_MISSING', 'does not exist', 'Check the path.'],
  ENOTDIR: ['FILE_MISSING', 'does not exist', 'Check the path.'],
  EISDIR: ['FILE_ACCESS', 'is a folder', 'Use the path of a file.'],
  EACCES: ['FILE_ACCESS', 'no permission', 'Check the permissions of the file and of its folder.'],
  EPERM: ['FILE_ACCESS', 'no permission', 'Check the permissions of the file and of its folder.'],
  EROFS: ['FILE_ACCESS', 'the file system is read-only', 'Choose another path.'],
  ENOSPC: ['DISK_FULL', 'the disk is full', 'Free disk space, or choose another path.'],
};

/** Converts an error of the file system to a LandfallError. Returns other errors unchanged. */
export function proxyFileError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!Object.hasOwn(meanings, code)) return error;
  const [family, text, hint] = meanings[code] ?? ['FILE_ACCESS', code, ''];
  return new LandfallError(family, `${path}: ${text}`, { hint, cause: error });
}
