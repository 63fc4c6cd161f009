import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/** Ollama's files of an unfinished blob: its data, and a description of each part. */
const partial = /^(sha256-[0-9a-f]{64})-partial(-\d+)?$/;

/** Younger files may belong to a running pull. Milliseconds. */
const justBegun = 5000;

/**
 * Removes unfinished blobs with an empty part description. A full disk leaves such files, and every
 * later pull of the model fails with "EOF" (server/download.go, 0.32).
 * @param store the folder of Ollama's models, relative to the root folder
 */
export async function dropBrokenParts(host: Host, store: string): Promise<void> {
  const folder = host.path(store, 'blobs');
  const names = await readdir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const broken = new Set<string>();
  for (const name of names) {
    const [, blob, part] = partial.exec(name) ?? [];
    if (!blob || part === undefined) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.size === 0 && Date.now() - found.mtimeMs > justBegun) broken.add(blob);
  }
  const doomed = names.filter((name) => broken.has(partial.exec(name)?.[1] ?? ''));
  await Promise.all(doomed.map((name) => rm(join(folder, name), { force: true })));
}
