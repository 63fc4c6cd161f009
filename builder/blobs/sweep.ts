import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Long enough to resume after a holiday, short enough to limit disk usage. */
const keptMs = 14 * 24 * 60 * 60 * 1000;

/** Removes partial blobs that have not changed for two weeks. */
export async function sweepPartials(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() && now - found.mtimeMs > keptMs) await rm(path, { force: true });
  }
}
