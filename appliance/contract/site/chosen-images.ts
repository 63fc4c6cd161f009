import type { Release, ReleaseImage } from '../bundle/release.ts';
import { componentNames } from '../component-names.ts';
import type { ComponentName } from '../components.ts';
import { type ComponentSettings, whyEnabled } from './enabled.ts';

/** The images of a release that a site runs: an optional one only where the site turned it on. */
export function chosenImages(
  { images }: Pick<Release, 'images'>,
  site: ComponentSettings,
): ReleaseImage[] {
  const chosen = new Set<string>(componentNames.filter((name) => whyEnabled(site, name)));
  return images.filter(({ component, optional }) => !optional || chosen.has(component));
}

/** A component that a site turns on, and the place in the site that does it. */
interface MissingPart {
  readonly part: ComponentName;
  readonly because: string;
}

/** The components that a site turns on and a release does not have. */
export function missingParts(
  { images }: Pick<Release, 'images'>,
  site: ComponentSettings,
): MissingPart[] {
  const has = new Set<string>(images.map(({ component }) => component));
  return componentNames.flatMap((part) => {
    const because = whyEnabled(site, part);
    return because === undefined || has.has(part) ? [] : [{ part, because }];
  });
}
