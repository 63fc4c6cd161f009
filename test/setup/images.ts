import { buildImages, recipeVersion } from '../images/build.ts';
import { catalogue } from '../images/catalogue.ts';
import { cached } from './cached.ts';
import type { DebianMirror } from './debian-mirror.ts';

/**
 * Gives the OCI layout with all test images; makes it the first time.
 * @throws Unmet
 */
export async function provideImages(
  cache: string,
  mirror: () => Promise<DebianMirror>,
): Promise<string> {
  return await cached(cache, 'images', { recipeVersion, catalogue }, async (layout) => {
    await buildImages(layout, await mirror());
  });
}
