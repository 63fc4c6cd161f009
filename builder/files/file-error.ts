import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';

/** Turns what the operating system says about a file into an error that says what to do. */
export function fileError(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new LandfallError('DISK_FULL', `the disk is full; ${path} could not be written`, {
        hint: `Free some space (df -h ${dirname(path)}) or choose another place with --output.`,
        cause: error,
      });
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new LandfallError('FILE_ACCESS', `${path} may not be written`, {
        hint: 'Choose another place with --output, or check who owns the folder.',
        cause: error,
      });
    case 'EISDIR':
      return new LandfallError('FILE_ACCESS', `${path} is a folder`, {
        hint: 'Name a file.',
        cause: error,
      });
    case 'ENOENT':
    case 'ENOTDIR':
      return new LandfallError('FILE_MISSING', `there is no ${path}`, {
        hint: 'Check the path.',
        cause: error,
      });
    default:
      return error;
  }
}
