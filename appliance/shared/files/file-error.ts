import { type ErrorCode, LandfallError } from '#contract/errors.ts';
import type { Text } from '#contract/text/language.ts';

/** In the message, `{}` is the path. */
type Meaning = readonly [code: ErrorCode, message: string, hint: Text];

const checkPath = { en: 'Check the path.', zh: '检查路径。' };
const useFile = { en: 'Use the path of a file.', zh: '使用文件的路径。' };
const missing: Meaning = ['FILE_MISSING', '{} does not exist', checkPath];
const denied: Meaning = [
  'FILE_ACCESS',
  '{} cannot be opened or written: permission denied',
  {
    en: 'Check the permissions of the file and of its folder, or choose another path.',
    zh: '检查文件及其所在文件夹的权限，或换一个路径。',
  },
];
const full: Meaning = [
  'DISK_FULL',
  '{} cannot be written: the disk is full',
  {
    en: 'Free disk space (check with df -h), or choose another path.',
    zh: '释放磁盘空间（用 df -h 查看），或换一个路径。',
  },
];
const other: Meaning = ['FILE_ACCESS', '{} is not a regular file', useFile];

/** What an error of the file system means, by its code. */
const meanings: Readonly<Record<string, Meaning>> = {
  ...{ ENOENT: missing, ENOTDIR: missing },
  ...{ EACCES: denied, EPERM: denied, EROFS: denied },
  ...{ ENOSPC: full, EDQUOT: full },
  ...{
    ELOOP: other,
    ENXIO: other,
    EISDIR: ['FILE_ACCESS', '{} is a folder', useFile],
  },
};

/** Converts a file system error to a LandfallError with a hint. Returns any other error unchanged. */
export function fileError(error: unknown, path: string): unknown {
  const meaning = meanings[String((error as NodeJS.ErrnoException | null)?.code)];
  if (meaning === undefined) return error;
  const [code, message, hint] = meaning;
  return new LandfallError(
    code,
    message.replace('{}', () => path),
    { hint, cause: error },
  );
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
