import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pushImages } from '../../images/push.ts';
import { cached } from '../cached.ts';
import type { Daemon } from '../daemon.ts';
import type { Images } from './images.ts';
import { startRegistry } from './registry.ts';

/**
 * Returns the storage of a registry with these images; pushes them the first time.
 * @throws Unmet
 */
export async function provideStorage(
  cache: string,
  name: string,
  { layout, images }: Images,
): Promise<string> {
  const made = await cached(cache, name, basename(layout), async (folder) => {
    await mkdir(folder);
    const registry = await startRegistry(folder);
    try {
      await pushImages(layout, images, registry.answer);
    } finally {
      await registry.stop();
    }
  });
  return join(made, 'storage');
}

/**
 * Starts a registry with a copy of a storage.
 * @param folder is created, for all files of the registry
 * @throws Unmet
 */
export async function startRegistryFrom(storage: string, folder: string): Promise<Daemon> {
  await mkdir(folder, { recursive: true });
  await cloneStorage(storage, join(folder, 'storage'));
  return await startRegistry(folder);
}

/**
 * Copies a storage for one run to write to. Blobs are hard-linked: a registry names them by content
 * and never changes them. Everything else, such as tags, is copied.
 */
async function cloneStorage(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await cloneStorage(source, target);
    else if (entry.name === 'data') await link(source, target);
    else await copyFile(source, target);
  }
}
