import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildImages, recipeVersion } from '../images/build.ts';
import type { StandIn } from '../images/catalogue.ts';
import { referenceStack } from '../images/reference-stack.ts';
import { cached } from './cached.ts';
import type { Daemon } from './daemon.ts';
import type { DebianMirror } from './debian-mirror.ts';
import { llamaPackage } from './llama.ts';
import { startRegistry } from './registry.ts';
import { cloneStorage, provideStorage } from './registry-storage.ts';
import type { Say } from './say.ts';
import { standInPrograms } from './stand-in-programs.ts';

/**
 * Gives the storage of a registry with the small stack that test servers run: the same names as the
 * large stand-ins for the builder have. Makes the images the first time.
 * @param llama the path of llama.cpp's native module
 * @throws Unmet
 */
export async function provideStackStorage(
  cache: string,
  llama: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  const images = await stackImages(llama);
  const layout = await cached(cache, 'stack-images', { recipeVersion, images }, async (folder) => {
    say('stackImages', 'made from Debian packages and npm, only once; this takes a minute');
    await buildImages(folder, await mirror(), images);
  });
  return await provideStorage(cache, layout, 'stack-registry', images);
}

/**
 * Starts a registry of its own with those images.
 * @param storage what {@link provideStackStorage} gave; it is not written to
 * @param folder is made, for all that the registry writes
 * @throws Unmet
 */
export async function startStackRegistry(storage: string, folder: string): Promise<Daemon> {
  await mkdir(folder, { recursive: true });
  await cloneStorage(storage, join(folder, 'storage'));
  return await startRegistry(folder);
}

/** The images with the programs of this tree in them. */
async function stackImages(llama: string): Promise<readonly StandIn[]> {
  return referenceStack({
    ...(await standInPrograms()),
    node: { source: process.execPath, identity: process.version },
    llama: { source: llama, identity: llamaPackage.integrity },
  });
}
