import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { diskError } from '../../../builder/blobs/disk-errors.ts';

const failing = (code: unknown) => Object.assign(new Error('x'), { code });
const attempt = { action: 'write', path: '/cache/blob' };

describe('a failure of the file system', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EFBIG'])('%s is a full disk', (code) => {
    const cause = failing(code);
    expect(diskError(cause, { ...attempt, needed: 1234 })).toMatchObject({
      code: 'DISK_FULL',
      message: 'cannot write /cache/blob: the disk is full',
      hint: 'Make room for 1234 more bytes, or move the cache with XDG_CACHE_HOME.',
      cause,
    });
  });

  it('of a full disk has a hint without numbers too', () => {
    expect(diskError(failing('ENOSPC'), attempt)).toMatchObject({
      hint: expect.stringContaining('Make room for more bytes'),
    });
  });

  it.each(['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EIO', 'EMFILE'])(
    '%s is a matter of access',
    (code) => {
      expect(diskError(failing(code), attempt)).toMatchObject({
        code: 'FILE_ACCESS',
        message: `cannot write /cache/blob (${code})`,
        hint: expect.stringMatching(/\.$/),
      });
    },
  );
});

describe('what is no failure of the file system', () => {
  it.each([
    ['an error of ours', new LandfallError('BLOB_SIZE', 'too long')],
    ['a cancellation', new DOMException('enough', 'AbortError')],
    ['a mistake of the program', new TypeError('oops')],
    ['a code of Node itself', failing('ERR_INVALID_ARG_TYPE')],
    ['a number', failing(20)],
    ['a text', 'text'],
  ])('stays as it is: %s', (_kind, error) => {
    expect(diskError(error, attempt)).toBe(error);
  });
});
