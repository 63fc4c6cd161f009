import type { Architecture } from '#contract/bundle/release-name.ts';
import { withPort } from '#contract/site/route.ts';
import type { Site } from '#contract/site/site.ts';
import { releaseFolders } from '#contract/site/urls.ts';
import { isExempt } from '#http/no-proxy.ts';
import { type PinnedRelease, sharedFacts } from './pinned-release.ts';
import { folderUrl } from './release-urls.ts';

/** A folder to download the release from. */
interface DownloadSource {
  /** Ends with a slash; the bootstrap appends the name of the bundle. */
  readonly url: string;
  /** URL of an HTTP proxy, unless the site exempts the host. */
  readonly proxy?: string;
  /** URL of a SOCKS5 proxy, unless the site exempts the host. */
  readonly socks?: string;
}

/** `boot.json`: the settings of the bootstrap. */
export interface BootSettings {
  readonly product: string;
  readonly version: string;
  /** SHA-256 of release.json by architecture, 64 hex digits. */
  readonly manifests: Partial<Record<Architecture, string>>;
  /** Size of the parts of each bundle in parts, in bytes. Absent if there is none. */
  readonly parts?: Partial<Record<Architecture, number>> | undefined;
  readonly sources: readonly DownloadSource[];
}

/**
 * Returns the settings of the bootstrap: the digests of the release, and its download sources. NO_PROXY
 * is applied here, which keeps the bootstrap small.
 * @throws LandfallError USER_DATA_MISMATCH
 */
export function bootSettings(site: Site, releases: readonly PinnedRelease[]): BootSettings {
  const { product, version } = sharedFacts(releases);
  const manifests = Object.fromEntries(
    releases.map(({ release, manifestSha256 }) => [release.arch, manifestSha256]),
  );
  const sizes = releases.flatMap(({ release: { arch }, partSize }) =>
    partSize === undefined ? [] : [[arch, partSize]],
  );
  const parts = sizes.length > 0 ? Object.fromEntries(sizes) : undefined;
  const sources = releaseFolders(site).map((url) => sourceOf(url, site));
  return { product, version, manifests, parts, sources };
}

function sourceOf(text: string, { route }: Site): DownloadSource {
  const url = folderUrl(text);
  // The proxy client is in the bundle, so the bundle itself is downloaded directly, or pushed.
  if (!('url' in route) || isExempt(url, route.no_proxy.join(','))) return { url: url.href };
  const kind = route.mode === 'socks5' ? 'socks' : 'proxy';
  return { url: url.href, [kind]: withPort(route.url) };
}
