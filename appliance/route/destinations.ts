import type { Release } from '#contract/bundle/release.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import { imageName } from '../host/pull/image-name.ts';

/** What a release is going to fetch, and the places that have it: one of them is enough. */
export interface Destination {
  readonly what: string;
  readonly urls: readonly string[];
}

/** Docker's own hub is known by a name under which nobody answers. */
const hub = { name: 'docker.io', host: 'registry-1.docker.io' };

/**
 * Where a thin release sends the server: to registries, or their mirrors, and to the places of the
 * files that it leaves outside. A full one brings everything along.
 */
export function destinations(release: Release, site: Site): Destination[] {
  const { kind, downloads } = release;
  const { mirrors } = site;
  if (kind === 'full') return [];
  const registries = chosenImages(release, site)
    // What the builder put together lies in the bundle, wherever its base is from.
    .filter(({ base }) => base === undefined)
    .map(({ reference }) => imageName(reference).registry);
  return [
    ...[...new Set(registries)].map((registry) => ({
      what: `images of ${registry}`,
      urls: [mirrors.registries[registry], homeOf(registry)]
        .filter((url) => url !== undefined)
        .map((url) => `${url.replace(/\/$/, '')}/v2/`),
    })),
    ...downloads.map(({ path, urls }) => ({
      what: path,
      urls: [...(mirrors.files === undefined ? [] : [mirrors.files]), ...urls],
    })),
  ];
}

/** The engine speaks plain HTTP with this machine alone. */
function homeOf(registry: string): string {
  const host = registry === hub.name ? hub.host : registry;
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+)(?::|$)/.test(host);
  return `${local ? 'http' : 'https'}://${host}`;
}
