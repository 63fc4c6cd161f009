import type { Release, ReleaseImage } from '../bundle/release.ts';
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

/** A part that a site turns on, and the place in the site that does it. */
export interface MissingPart {
  readonly part: 'chat' | 'lobe' | 'relay';
  readonly because: string;
}

/** The parts that a site turns on and a release does not have. */
export function missingParts(
  { images }: Pick<Release, 'images'>,
  site: Pick<Site, 'components' | 'providers' | 'hosts'>,
): MissingPart[] {
  const has = new Set(images.map(({ component }) => component));
  const { chat, lobe } = site.components;
  const wanted: ReadonlyArray<MissingPart | false> = [
    chat && { part: 'chat', because: 'components.chat is true' },
    lobe && { part: 'lobe', because: 'components.lobe is true' },
    runsRelay(site) && { part: 'relay', because: whyRelay(site) },
  ];
  return wanted.filter((each) => each !== false).filter(({ part }) => !has.has(part));
}

function whyRelay({ providers, hosts }: Pick<Site, 'providers' | 'hosts'>): string {
  const [name] = Object.keys(providers);
  if (name !== undefined) return `providers.${name} is set`;
  return hosts.relay === undefined ? 'a front-end is on' : `hosts.relay is ${hosts.relay}`;
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
