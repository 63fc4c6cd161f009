import { cp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '#files/sync-folder.ts';

/**
 * Ollama's list of models. Their files are named by their content and never change, so a copy of the list
 * is a copy of the models while nothing is pruned (`OLLAMA_NOPRUNE`). Runs in the unit of `sandbox.ts`.
 */
const manifests = '_data/models/manifests';
const copyOf = (id: string) => `manifests.copy-${id}`;

/** Copies the manifests. @param folder absolute path of the volume's folder */
export async function copyManifests(folder: string, id: string): Promise<void> {
  const copy = join(folder, copyOf(id));
  await rm(copy, { recursive: true, force: true });
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  await cp(join(folder, manifests), copy, options).catch((error) => {
    // An Ollama that never had a model.
    if (error.code !== 'ENOENT') throw error;
  });
  await syncFolder(folder);
}

/** Puts the copied manifests back. Without a copy, it has been done. */
export async function restoreManifests(folder: string, id: string): Promise<void> {
  if (!(await readdir(folder)).includes(copyOf(id))) return;
  await rm(join(folder, manifests), { recursive: true, force: true });
  await rename(join(folder, copyOf(id)), join(folder, manifests));
  await syncFolder(folder);
}
