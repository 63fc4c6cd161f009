import { dirname, join } from 'node:path';
import { componentNames } from '#contract/component-names.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import type { Site } from '#contract/site/site.ts';
import type { MirroredImage } from '#probe/mirrored-image.ts';
import { isLocalImage, unresolved } from '../../inputs/lock/lock.ts';
import { lockPathFor, readLock } from '../../inputs/lock/lock-file.ts';
import { parseReference } from '../../inputs/registry/reference.ts';
import { referenceLock } from './files.ts';

/**
 * Returns the images that a mirror must have: those of the lock beside a site, or of the reference appliance
 * without one. With a site, only the images of its components.
 * @throws LandfallError LOCK_INVALID
 */
export async function imagesToProbe(
  sitePath: string,
  site: Site | undefined,
): Promise<MirroredImage[]> {
  const path = lockPathFor(join(dirname(sitePath), 'appliance.yaml'));
  const { images } = (await readLock(path)) ?? (await referenceLock());
  return Object.entries(images).flatMap(([name, { image, index }]) => {
    const component = componentNames.find((each) => each === name);
    if (site && component && !isEnabled(site, component)) return [];
    if (index === unresolved || isLocalImage(image)) return [];
    const { registry, repository } = parseReference(image);
    return [{ registry, repository, digest: index }];
  });
}
