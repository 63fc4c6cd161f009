import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';

/**
 * Converts a file system error to a LandfallError with a hint. Returns any other error unchanged.
 */
export function fileError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new LandfallError('DISK_FULL', `cannot write ${path}: the disk is full`, {
        hint: `Free disk space (df -h ${dirname(path)}), or choose another path with --output.`,
        cause: error,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new LandfallError('FILE_ACCESS', `no permission for ${path}`, {
        hint: 'Check the permissions of the file and of its folder, or choose another path.',
        cause: error,
      });
    case 'EISDIR':
      return new LandfallError('FILE_ACCESS', `${path} is a folder`, {
        hint: 'Use the path of a file.',
        cause: error,
      });
    case 'ENOENT':
    case 'ENOTDIR':
      return new LandfallError('FILE_MISSING', `${path} does not exist`, {
        hint: 'Check the path.',
        cause: error,
      });
    default:
      return error;
  }
}

/**
 * Waits for an operation on a file.
 * @throws LandfallError FILE_MISSING, FILE_ACCESS, DISK_FULL instead of errors of the file system
 */
export async function orFileError<T>(path: string, operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    throw fileError(error, path);
  }
}
