import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { diskError } from '../../../../builder/inputs/blobs/disk-errors.ts';

const failing = (code: unknown) => Object.assign(new Error('x'), { code });
const attempt = { action: 'write', path: '/cache/blob' };

describe('a failure of the file system', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('%s is a full disk', (code) => {
    const cause = failing(code);
    expect(diskError(cause, { ...attempt, needed: 1234 })).toMatchObject({
      code: 'DISK_FULL',
      message: 'cannot write /cache/blob: the disk is full',
      hint: 'Free space for 1234 more bytes, or move the cache with XDG_CACHE_HOME.',
      cause,
    });
  });

  it('hints at a full disk without numbers as well', () => {
    expect(diskError(failing('ENOSPC'), attempt)).toMatchObject({
      hint: expect.stringContaining('Free space for more bytes'),
    });
  });

  it.each(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EIO', 'EMFILE'])(
    '%s is an access error',
    (code) => {
      expect(diskError(failing(code), attempt)).toMatchObject({
        code: 'FILE_ACCESS',
        message: `cannot write /cache/blob (${code})`,
        hint: expect.stringMatching(/\.$/),
      });
    },
  );
});

describe('any other error', () => {
  it.each([
    ['a LandfallError', new LandfallError('BLOB_SIZE', 'too long')],
    ['a cancellation', new DOMException('enough', 'AbortError')],
    ['a bug in the program', new TypeError('oops')],
    ['a code of Node', failing('ERR_INVALID_ARG_TYPE')],
    ['a number', failing(20)],
    ['a text', 'text'],
  ])('returns any other error unchanged: %s', (_kind, error) => {
    expect(diskError(error, attempt)).toBe(error);
  });
});
