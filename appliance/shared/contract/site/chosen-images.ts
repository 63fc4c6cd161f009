import { isSameModel } from '../bundle/model-name.ts';
import type { Release, ReleaseImage } from '../bundle/release.ts';
import { componentNames } from '../component-names.ts';
import type { ComponentName } from '../components.ts';
import { type ComponentSettings, isForServer, whyEnabled } from './enabled.ts';
import type { Site } from './site.ts';

/**
 * Returns the images of a release that a site runs. Optional images need a setting in the site, and an
 * engine node has those of its components only.
 */
export function chosenImages(
  { images }: Pick<Release, 'images'>,
  site: ComponentSettings,
): ReleaseImage[] {
  const chosen = new Set<string>(componentNames.filter((name) => whyEnabled(site, name)));
  const surplus = new Set<string>(componentNames.filter((name) => !isForServer(site, name)));
  return images.filter(
    ({ component, optional }) => !surplus.has(component) && (!optional || chosen.has(component)),
  );
}

/** Returns the components that a site enables and a release lacks, and the setting of each. */
export function missingComponents(
  { images }: Pick<Release, 'images'>,
  site: ComponentSettings,
): { name: ComponentName; because: string }[] {
  const has = new Set<string>(images.map(({ component }) => component));
  return componentNames.flatMap((name) => {
    const because = whyEnabled(site, name);
    return because === undefined || has.has(name) ? [] : [{ name, because }];
  });
}

/** Returns the names in `models` of a site that the release does not lock. */
export function missingModels(
  { models }: Pick<Release, 'models'>,
  { models: wanted = [] }: Pick<Site, 'models'>,
): string[] {
  return wanted.filter((name) => !models.some((model) => isSameModel(model.name, name)));
}
