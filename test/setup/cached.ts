import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '#contract/trust/digest.ts';

/** Longer than a run of all tests. Milliseconds. */
const maxRun = 3 * 3_600_000;

/**
 * Returns the folder that `make` builds from these inputs, and builds it the first time. An
 * existing folder is complete, because it is renamed last. Folders of other inputs are removed,
 * unless a recently started run may still use them.
 */
export async function cached(
  cache: string,
  name: string,
  inputs: unknown,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const key = `${name}-${sha256Hex(JSON.stringify(inputs)).slice(0, 12)}`;
  const folder = join(cache, key);
  if (existsSync(folder)) {
    await utimes(folder, new Date(), new Date());
    return folder;
  }
  const partial = join(cache, `${key}.partial-${process.pid}`);
  await rm(partial, { recursive: true, force: true });
  try {
    await make(partial);
    // A parallel run may have built the same folder meanwhile, which is equivalent.
    if (!existsSync(folder)) await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  await removeOutdated(cache, name, folder);
  return folder;
}

async function removeOutdated(cache: string, name: string, current: string): Promise<void> {
  const versions = new RegExp(`^${name}-[0-9a-f]{12}$`);
  const entries = (await readdir(cache)).filter((entry) => versions.test(entry));
  for (const entry of entries.map((each) => join(cache, each))) {
    const { mtimeMs } = await stat(entry);
    const isInUse = entry === current || Date.now() - mtimeMs < maxRun;
    if (!isInUse) await rm(entry, { recursive: true, force: true });
  }
}
