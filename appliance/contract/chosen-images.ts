import type { Release, ReleaseImage } from './release.ts';
import type { Site } from './site.ts';

/** The images of a release that a site runs: an optional one only where the site turned it on. */
export function chosenImages(
  { images }: Pick<Release, 'images'>,
  site: Pick<Site, 'components' | 'providers' | 'hosts'>,
): ReleaseImage[] {
  const chosen: Readonly<Record<string, boolean>> = {
    ...site.components,
    relay: runsRelay(site),
  };
  return images.filter(
    ({ component, optional }) =>
      !optional || (Object.hasOwn(chosen, component) && chosen[component] === true),
  );
}

/** Whether a site has work for the relay: a provider, a name for it, or a front-end. */
export function runsRelay({
  providers,
  hosts,
  components,
}: Pick<Site, 'components' | 'providers' | 'hosts'>): boolean {
  return (
    Object.keys(providers).length > 0 ||
    hosts.relay !== undefined ||
    components.chat ||
    components.lobe
  );
}
