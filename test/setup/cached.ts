import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '#contract/digest.ts';

/**
 * Gives the folder that holds what `make` makes from these inputs, and makes it the first time.
 * One that is there is whole, because it gets its name last; those of other inputs go.
 */
export async function cached(
  cache: string,
  name: string,
  inputs: unknown,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, `${name}-${sha256Hex(JSON.stringify(inputs)).slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const partial = join(cache, `${name}.partial-${process.pid}`);
  await rm(partial, { recursive: true, force: true });
  try {
    await make(partial);
    // Another run may have made the same thing meanwhile; that one is as good.
    if (!existsSync(folder)) await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  const outdated = (await readdir(cache)).filter((entry) => entry.startsWith(`${name}-`));
  for (const entry of outdated.map((entry) => join(cache, entry))) {
    if (entry !== folder) await rm(entry, { recursive: true, force: true });
  }
  return folder;
}
