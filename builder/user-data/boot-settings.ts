import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { withPort } from '#contract/site/route.ts';
import type { Route, Site } from '#contract/site/site.ts';
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
 * @throws LandfallError CONFIG_INVALID, USER_DATA_MISMATCH
 */
export function bootSettings(site: Site, releases: readonly PinnedRelease[]): BootSettings {
  const { product, version } = sharedFacts(releases);
  const problems = [...releaseFolders(site).flatMap(judgeSource), ...judgeRoute(site.route)];
  if (problems.length > 0) {
    throw new LandfallError('CONFIG_INVALID', 'the bootstrap does not support the site', {
      hint: 'Fix the problems below in site.yaml.',
      problems,
    });
  }
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

/** Checks that a URL is a plain folder, because the bootstrap appends the name of the bundle. */
function judgeSource(text: string, index: number): Problem[] {
  const { username, password, search, hash } = new URL(text);
  if (`${username}${password}${search}${hash}` === '') return [];
  return [
    {
      message: `release.${index} is not a plain folder URL`,
      hint: 'Remove user name, password, query (?) and fragment (#) from the URL.',
    },
  ];
}

/** Rejects https proxies: Python's standard library does not support TLS in TLS. */
function judgeRoute(route: Route): Problem[] {
  if (route.mode !== 'http-proxy' || new URL(route.url).protocol === 'http:') return [];
  return [
    {
      message: 'route.url is an https proxy, which the bootstrap does not support',
      hint: 'Use the http or socks5 URL of the proxy; downloads are verified in any case.',
    },
  ];
}
