import { LandfallError } from '#contract/errors.ts';
import { unresolved } from '../lock/lock.ts';
import type { Platform } from '../platform.ts';
import type { ImageSource } from '../sources/source.ts';
import type { LocatedImage } from './image-blobs.ts';
import type { Selected } from './select-components.ts';

/**
 * Looks up the locked images for one platform, all at once.
 * @throws LandfallError LOCK_DRIFT when a source has something else than the lock, and what sources throw
 */
export async function locateImages(
  components: readonly Selected[],
  platform: Platform,
  openLocked: (component: Selected) => ImageSource,
): Promise<LocatedImage[]> {
  return Promise.all(
    components.map(async (component) => {
      const source = openLocked(component);
      const { index, platforms } = await source.resolve([platform]);
      const [image] = platforms;
      if (!image) throw new Error(`${component.name}: the source gave no platform`);
      refuseOther(component, platform, index.descriptor.digest, image.manifest.descriptor.digest);
      return { component: component.name, index, image, source };
    }),
  );
}

/** A registry is asked by digest and cannot answer otherwise; a file or an engine can. */
function refuseOther(
  { name, locked }: Selected,
  platform: Platform,
  index: string,
  manifest: string,
): void {
  const lockedManifest = locked.platforms[platform]?.manifest ?? unresolved;
  const same = locked.index === index && [unresolved, manifest].includes(lockedManifest);
  if (same) return;
  throw new LandfallError('LOCK_DRIFT', `${locked.image} is not what was locked for ${name}`, {
    hint: `Take the new one with \`landfall lock --update ${name}\`, or bring the old one back.`,
    problems: [{ message: `locked ${lockedManifest}, found ${manifest}` }],
  });
}
