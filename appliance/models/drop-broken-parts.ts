import { lstat, readdir, unlink } from 'node:fs/promises';
import { FolderHandle } from '#files/folder-handle.ts';

import { isMissing } from '#files/open-regular.ts';
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
  const found = await FolderHandle.open(host.path(store))
    .then(async (top) => {
      await using models = top;
      return await models.openFolder('blobs');
    })
    // The first pull creates the folder. Root does not follow a link.
    .catch(() => undefined);
  if (!found) return;
  await using folder = found;
  const names = await readdir(folder.path());
  const broken = new Set<string>();
  for (const name of names) {
    const [, blob, part] = partial.exec(name) ?? [];
    if (!blob || part === undefined) continue;
    const file = await lstat(folder.path(name)).catch(() => undefined);
    if (file?.size === 0 && Date.now() - file.mtimeMs > justBegun) broken.add(blob);
  }
  for (const name of names) {
    if (!broken.has(partial.exec(name)?.[1] ?? '')) continue;
    await unlink(folder.path(name)).catch((error) => {
      if (!isMissing(error)) throw error;
    });
  }
}
