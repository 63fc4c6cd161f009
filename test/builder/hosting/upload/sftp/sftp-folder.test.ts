import { expect, it } from 'vitest';
import { SftpFolder } from '../../../../../builder/hosting/upload/sftp/sftp-folder.ts';
import type { SftpSession } from '../../../../../builder/hosting/upload/sftp/sftp-session.ts';
import { silentReporter } from '../../../../../builder/progress/reporter.ts';

// sftp reads a command from each line.
it('rejects a local folder whose name contains a line break, and sends no part of it', async () => {
  const sent: string[] = [];
  const run = async (commands: readonly string[]) => {
    sent.push(...commands);
    return '';
  };
  const session = { folder: '/tmp', run, transfer: run } as unknown as SftpSession;
  const folder = new SftpFolder(session, 'releases', { attempts: 1 });
  const path = '/work\nrm releases/other.tar\n/landfall.tar';
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
  const path = '/work/[*]?"\\/landfall.tar';
  const file = { name: 'landfall.tar', path, size: 1, modified: 0, sha256: 'a'.repeat(64) };
  await folder.put(file, silentReporter.transfer('x', 1)).catch(() => {});
  expect(sent).toContain(
    `put "/work/[*]?\\"\\\\/landfall.tar" "landfall.tar.aaaaaaaaaaaaaaaa.partial"`,
  );
});
