import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';

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
