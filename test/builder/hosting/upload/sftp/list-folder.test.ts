import { describe, expect, it } from 'vitest';
import { sizesIn } from '../../../../../builder/hosting/upload/sftp/list-folder.ts';

describe('sizesIn', () => {
  it('reads the sizes of regular files, in all formats of owners and times', () => {
    const listing = [
      'sftp> ls -l',
      '-rw-r--r--    ? root     root         1683 Nov 23 01:27 a.release.json',
      '-rw-r--r--    1 0        0        60008960 Feb  3  2024 a.tar',
      '-rw-r--r--+   1 me       domain users   12 Nov  3 01:27 release.pub',
      'drwxr-xr-x    2 root     root         4096 Nov 23 01:27 folder',
      'lrwxrwxrwx    1 root     root            5 Nov 23 01:27 link.tar',
      '',
    ].join('\n');
    expect([...sizesIn(listing)]).toEqual([
      ['a.release.json', 1683],
      ['a.tar', 60_008_960],
      ['release.pub', 12],
    ]);
  });
});
