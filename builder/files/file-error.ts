import { dirname } from 'node:path';
import { type ErrorCode, LandfallError } from '#contract/errors.ts';

/**
 * Converts a file system error to a LandfallError with a hint. Returns any other error unchanged.
 */
export function fileError(error: unknown, path: string): unknown {
  const failure = (code: ErrorCode, message: string, hint: string) =>
    new LandfallError(code, message, { hint, cause: error });
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'ENOSPC':
    case 'EDQUOT': {
      const hint = `Free disk space (df -h ${dirname(path)}), or choose another path with --output.`;
      return failure('DISK_FULL', `cannot write ${path}: the disk is full`, hint);
    }
    case 'EACCES':
    case 'EPERM':
    case 'EROFS': {
      const hint = 'Check the permissions of the file and of its folder, or choose another path.';
      return failure('FILE_ACCESS', `no permission for ${path}`, hint);
    }
    case 'EISDIR':
      return failure('FILE_ACCESS', `${path} is a folder`, 'Use the path of a file.');
    case 'ENOENT':
    case 'ENOTDIR':
      return failure('FILE_MISSING', `${path} does not exist`, 'Check the path.');
    default:
      return error;
  }
}
