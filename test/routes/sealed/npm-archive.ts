import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

const version = '11.6.2';

/** Returns the archive of npm itself: Debian's package of npm needs 300 others. Downloads it once. */
export async function npmArchive(): Promise<Buffer> {
  const folder = join(homedir(), '.cache', 'landfall-test');
  const archive = join(folder, `npm-${version}.tgz`);
  await mkdir(folder, { recursive: true });
  return await readFile(archive).catch(async () => {
    await execa('npm', ['pack', `npm@${version}`], { cwd: folder });
    return await readFile(archive);
  });
}
