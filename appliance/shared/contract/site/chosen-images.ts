import type { Release, ReleaseImage } from '../bundle/release.ts';
import { componentNames } from '../component-names.ts';
import type { ComponentName } from '../components.ts';
import { type ComponentSettings, whyEnabled } from './enabled.ts';

/** Returns the images of a release that a site runs. Optional images need a setting in the site. */
export function chosenImages(
  { images }: Pick<Release, 'images'>,
  site: ComponentSettings,
): ReleaseImage[] {
  const chosen = new Set<string>(componentNames.filter((name) => whyEnabled(site, name)));
  return images.filter(({ component, optional }) => !optional || chosen.has(component));
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
