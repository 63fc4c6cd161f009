import { type Architecture, releaseName } from '#contract/bundle/release-name.ts';
import type { Site } from '#contract/site/site.ts';
import type { PinnedRelease } from './pinned-release.ts';

/** A URL from which a server downloads a bundle. */
export interface ReleaseUrl {
  readonly arch: Architecture;
  /** Name of the bundle, which is the file to upload. */
  readonly name: string;
  readonly url: URL;
  readonly pinned: PinnedRelease;
}

/** Returns the URLs under which every bundle must be reachable, in the order that servers try. */
export function releaseUrls(
  site: Pick<Site, 'release'>,
  releases: readonly PinnedRelease[],
): ReleaseUrl[] {
  return releases.flatMap((pinned) => {
    const { product, version, arch } = pinned.release;
    const name = `${releaseName(product, version, arch)}.tar`;
    return site.release.map((folder) => ({
      arch,
      name,
      url: new URL(name, folderUrl(folder)),
      pinned,
    }));
  });
}

/** Returns the URL of a folder, with a slash at its end. */
export function folderUrl(text: string): URL {
  const url = new URL(text);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}
