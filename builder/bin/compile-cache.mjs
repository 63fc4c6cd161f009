// Keeps compiled code between runs: a run then starts in half the time. The folder belongs to the
// user, because Node's default is in /tmp, where other users could replace the code.

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Enables Node's compile cache in the user's cache folder, if it can be created there. */
export function keepCompiledCode() {
  try {
    const folder = cacheFolder();
    // With `sudo -E`, the folder can be that of a user with fewer rights.
    const isOwn = process.getuid === undefined || statSync(folder).uid === process.getuid();
    if (isOwn) enableCompileCache(folder);
  } catch {
    // The user has no such folder. The program runs without the cache.
  }
}

function cacheFolder() {
  const { XDG_CACHE_HOME: base = '' } = process.env;
  const caches = isAbsolute(base) ? base : join(homedir(), '.cache');
  const landfall = join(caches, 'landfall');
  const folder = join(landfall, 'compiled');
  // Node's own recursive mkdir never returns on file systems such as /proc.
  for (const path of [caches, landfall, folder]) {
    if (!existsSync(path)) mkdirSync(path, { mode: 0o700 });
  }
  return folder;
}
