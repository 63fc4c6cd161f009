import { buildImages, recipeVersion } from '../images/build.ts';
import { catalogue } from '../images/catalogue.ts';
import { cached } from './cached.ts';
import type { DebianMirror } from './debian-mirror.ts';
import type { Say } from './say.ts';

/**
 * Gives the OCI layout with all test images; makes it the first time.
 * @throws Unmet
 */
export async function provideImages(
  cache: string,
  mirror: () => Promise<DebianMirror>,
  say: Say,
): Promise<string> {
  return await cached(cache, 'images', { recipeVersion, catalogue }, async (layout) => {
    say('images', 'made from Debian packages, only once; this takes some minutes');
    await buildImages(layout, await mirror());
  });
}
