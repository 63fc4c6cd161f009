import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { catalogue, type StandIn } from '../images/catalogue.ts';
import { pushImages } from '../images/push.ts';
import { cached } from './cached.ts';
import { startRegistry } from './registry.ts';

/**
 * Gives the storage of a registry that holds all images of a layout; pushes them the first time.
 * @throws Unmet
 */
export async function provideStorage(
  cache: string,
  layout: string,
  name = 'registry',
  images: readonly StandIn[] = catalogue,
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
 * Copies a storage for one run to write to. Blobs are linked, which costs nothing: a registry
 * names them by their content and never changes one. All else, tags above all, is copied.
 */
export async function cloneStorage(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await cloneStorage(source, target);
    else if (entry.name === 'data') await link(source, target);
    else await copyFile(source, target);
  }
}
