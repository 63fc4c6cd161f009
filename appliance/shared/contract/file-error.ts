import { type ErrorCode, LandfallError } from './errors.ts';

const checkRights = 'Check the permissions of the file and of its folder, or choose another path.';

/** What error codes of the file system mean. */
const meanings: ReadonlyArray<
  readonly [codes: string, code: ErrorCode, message: (path: string) => string, hint: string]
> = [
  [
    'ENOSPC EDQUOT',
    'DISK_FULL',
    (path) => `cannot write ${path}: the disk is full`,
    'Free disk space, or choose another path.',
  ],
  ['EACCES EPERM EROFS', 'FILE_ACCESS', (path) => `no permission for ${path}`, checkRights],
  ['EISDIR', 'FILE_ACCESS', (path) => `${path} is a folder`, 'Use the path of a file.'],
  ['ELOOP ENXIO', 'FILE_ACCESS', (path) => `cannot open ${path}`, 'Use the path of a file.'],
  ['ENOENT ENOTDIR', 'FILE_MISSING', (path) => `${path} does not exist`, 'Check the path.'],
];

/** Converts a file system error to a LandfallError with a hint. Returns any other error unchanged. */
export function fileError(cause: unknown, path: string): unknown {
  const found = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  const meaning = meanings.find(([codes]) => codes.split(' ').some((each) => each === found));
  if (meaning === undefined) return cause;
  const [, code, message, hint] = meaning;
  return new LandfallError(code, message(path), { hint, cause });
}
