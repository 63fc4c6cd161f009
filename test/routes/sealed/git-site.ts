import { mkdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { webServer } from '../../host/network/web.ts';

/** Returns a server with the repository `tiny.git`, in Git's protocol for plain web servers. */
export async function gitSite(folder: string): Promise<Server> {
  const work = join(folder, 'work');
  await mkdir(work);
  const git = async (...args: string[]) => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.net'];
    await execa('git', [...identity, ...args], { cwd: work });
  };
  await git('init', '-q');
  await writeFile(join(work, 'README'), 'from git\n');
  await git('add', 'README');
  await git('commit', '-qm', 'add a file');
  const served = join(folder, 'served');
  await git('clone', '-q', '--bare', '.', join(served, 'tiny.git'));
  await git('--git-dir', join(served, 'tiny.git'), 'update-server-info');
  return webServer(served);
}
