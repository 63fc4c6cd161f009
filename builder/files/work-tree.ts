import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The git work tree that a folder belongs to, or would belong to once it exists. */
export async function workTreeOf(folder: string): Promise<string | undefined> {
  // A file `.git` marks the work trees that `git worktree` and submodules make.
  const isOne = await access(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  if (isOne) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : workTreeOf(above);
}
