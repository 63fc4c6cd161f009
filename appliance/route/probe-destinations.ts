import type { Release } from '#contract/bundle/release.ts';
import type { LandfallError } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import type { Text } from '#contract/text/language.ts';
import { imageName } from '../host/pull/image-name.ts';
import type { Probed } from './archives.ts';
import { reachAny } from './reach.ts';

/** Probes every download of a release. One reachable URL of a download is enough. */
export async function probeDestinations(site: Site, release: Release): Promise<Probed[]> {
  return await Promise.all(
    destinations(release, site).map(async ({ what, title, urls }) => {
      const answers = await reachAny(site, urls);
      if (answers.some(({ failure }) => failure === undefined)) return { subject: what, title };
      const reason = answers.map(({ failure }) => failure?.message).join('; ');
      return {
        subject: what,
        title,
        failure: { message: `${what}: ${reason}`, reason, ...adviceOf(answers[0]?.failure) },
      };
    }),
  );
}

function adviceOf({ code, hint }: Partial<Pick<LandfallError, 'code' | 'hint'>> = {}) {
  return { code, hint };
}

/** A download of a release and its URLs, of which one is enough. */
interface Destination {
  readonly what: string;
  /** Absent for a file, whose name is the same in every language. */
  readonly title?: Text;
  readonly urls: readonly string[];
}

/** Docker Hub is named docker.io, but its registry is on another host. */
const hub = { name: 'docker.io', host: 'registry-1.docker.io' };

/**
 * Returns what a thin release downloads: images from registries or their mirrors, and files that it
 * does not contain. A full release downloads nothing.
 */
export function destinations(release: Release, site: Site): Destination[] {
  const { kind, downloads } = release;
  const { mirrors } = site;
  if (kind === 'full') return [];
  const registries = chosenImages(release, site)
    // Images that the builder assembled are always in the bundle.
    .filter(({ base }) => base === undefined)
    .map(({ reference }) => imageName(reference).registry);
  return [
    ...[...new Set(registries)].map((registry) => ({
      what: `images of ${registry}`,
      title: { en: `images of ${registry}`, zh: `${registry} 的镜像` },
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

/** Returns the origin of a registry; Docker uses plain HTTP for loopback only. */
function homeOf(registry: string): string {
  const host = registry === hub.name ? hub.host : registry;
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+)(?::|$)/.test(host);
  return `${local ? 'http' : 'https'}://${host}`;
}
