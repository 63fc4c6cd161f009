import { type ErrorCode, LandfallError } from '#contract/errors.ts';

type Meaning = readonly [code: ErrorCode, problem: string, hint: string];

const missing: Meaning = ['FILE_MISSING', 'does not exist', 'Check the path.'];
const denied: Meaning = [
  'FILE_ACCESS',
  'cannot be opened or written: permission denied',
  'Check the permissions of the file and of its folder, or choose another path.',
];
const full: Meaning = [
  'DISK_FULL',
  'cannot be written: the disk is full',
  'Free disk space (check with df -h), or choose another path.',
];
const other: Meaning = ['FILE_ACCESS', 'is not a regular file', 'Use the path of a file.'];

/** What an error of the file system means, by its code. */
const meanings: Readonly<Record<string, Meaning>> = {
  ...{ ENOENT: missing, ENOTDIR: missing },
  ...{ EACCES: denied, EPERM: denied, EROFS: denied },
  ...{ ENOSPC: full, EDQUOT: full },
  ...{
    ELOOP: other,
    ENXIO: other,
    EISDIR: ['FILE_ACCESS', 'is a folder', 'Use the path of a file.'],
  },
};

/** Converts a file system error to a LandfallError with a hint. Returns any other error unchanged. */
export function fileError(error: unknown, path: string): unknown {
  const meaning = meanings[String((error as NodeJS.ErrnoException | null)?.code)];
  if (meaning === undefined) return error;
  const [code, problem, hint] = meaning;
  return new LandfallError(code, `${path} ${problem}`, { hint, cause: error });
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
