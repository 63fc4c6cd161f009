import { describe, expect, it } from 'vitest';
import { silentReporter } from '../../../../../../builder/base/progress/reporter.ts';
import {
  SftpFolder,
  sizesIn,
} from '../../../../../../builder/deliver/hosting/upload/sftp/sftp-folder.ts';
import type { SftpSession } from '../../../../../../builder/deliver/hosting/upload/sftp/sftp-session.ts';

// sftp reads a command from each line.
it('rejects a local folder whose name contains a line break, and sends no part of it', async () => {
  const sent: string[] = [];
  const run = async (commands: readonly string[]) => {
    sent.push(...commands);
    return '';
  };
  const session = { folder: '/tmp', run, transfer: run } as unknown as SftpSession;
  const folder = new SftpFolder(session, 'releases', { attempts: 1 });
  const path = '/srv\nrm releases/other.tar\n/landfall.tar';
  const file = { name: 'landfall.tar', path, size: 1, modified: 0, sha256: 'a'.repeat(64) };
  const putting = folder.put(file, silentReporter.transfer('x', 1));
  await expect(putting).rejects.toMatchObject({ code: 'USAGE' });
  expect(sent.join('|')).not.toMatch(/\n|rm /);
});

// sftp expands no patterns inside quotes, and looks for a file with backslashes if they are escaped.
it('quotes a local folder whose name has patterns, quotes and backslashes', async () => {
  const sent: string[] = [];
  const run = async (commands: readonly string[]) => {
    sent.push(...commands);
    throw new Error('enough');
  };
  const listed = async (commands: readonly string[]) =>
    commands.includes('ls -l') ? '' : await run(commands);
  const session = { folder: '/tmp', run: listed } as unknown as SftpSession;
  const folder = new SftpFolder(session, 'releases', { attempts: 1 });
  const path = '/releases/[*]?"\\/landfall.tar';
  const file = { name: 'landfall.tar', path, size: 1, modified: 0, sha256: 'a'.repeat(64) };
  await folder.put(file, silentReporter.transfer('x', 1)).catch(() => {});
  expect(sent).toContain(
    `put "/releases/[*]?\\"\\\\/landfall.tar" "landfall.tar.aaaaaaaaaaaaaaaa.partial"`,
  );
});

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
