import { access, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileError } from '#files/file-error.ts';

/** Returns the git work tree of a folder, which need not exist yet. */
export async function workTreeOf(folder: string): Promise<string | undefined> {
  // `git worktree` and submodules create a file `.git` instead of a folder.
  const isOne = await access(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (isOne) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : workTreeOf(above);
}

/**
 * Adds patterns to the `.gitignore` of a folder, creating the file if necessary. Existing lines do
 * not change.
 * @throws LandfallError FILE_ACCESS, DISK_FULL
 */
export async function ignoreInGit(folder: string, patterns: readonly string[]): Promise<void> {
  const path = join(folder, '.gitignore');
  try {
    const text = await readText(path);
    const lines = text.split('\n').map((line) => line.trim());
    const missing = patterns.filter((pattern) => !lines.includes(pattern));
    if (missing.length === 0) return;
    const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    await writeFile(path, `${before}${missing.join('\n')}\n`);
  } catch (error) {
    throw fileError(error, path);
  }
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
