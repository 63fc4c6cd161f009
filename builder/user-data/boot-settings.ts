import type { Architecture } from '#contract/bundle/release-name.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { withPort } from '#contract/site/proxy-port.ts';
import type { Route, Site } from '#contract/site/site.ts';
import { isExempt } from '#http/no-proxy.ts';
import { type PinnedRelease, sharedFacts } from './pinned-release.ts';

/** A folder that holds the release. */
interface Place {
  /** Ends in a slash; the name of the bundle is put behind it. */
  readonly url: string;
  /** The way there, where the site has one and does not exempt this host from it: an HTTP proxy, */
  readonly proxy?: string;
  /** or one that speaks SOCKS5. */
  readonly socks?: string;
}

/** `boot.json`: all that the bootstrap wants to know before it has the release. */
export interface BootSettings {
  readonly product: string;
  readonly version: string;
  /** SHA-256 of release.json by architecture, 64 hex digits. */
  readonly manifests: Partial<Record<Architecture, string>>;
  readonly places: readonly Place[];
}

/**
 * What the bootstrap is told: one release by its digests, and the ways to it. The way is chosen
 * here, so that NO_PROXY is read by one piece of code and the script stays small.
 * @throws LandfallError CONFIG_INVALID, USER_DATA_MISMATCH
 */
export function bootSettings(site: Site, releases: readonly PinnedRelease[]): BootSettings {
  const { product, version } = sharedFacts(releases);
  const problems = [...site.release.flatMap(judgePlace), ...judgeRoute(site.route)];
  if (problems.length > 0) {
    throw new LandfallError('CONFIG_INVALID', 'the bootstrap cannot use what the site says', {
      hint: 'Change site.yaml as said below.',
      problems,
    });
  }
  const manifests = Object.fromEntries(
    releases.map(({ release, manifestSha256 }) => [release.arch, manifestSha256]),
  );
  return { product, version, manifests, places: site.release.map((url) => placeOf(url, site)) };
}

function placeOf(text: string, { route }: Site): Place {
  const url = folderUrl(text);
  if (route.mode === 'direct' || isExempt(url, route.no_proxy.join(','))) return { url: url.href };
  const kind = route.mode === 'socks5' ? 'socks' : 'proxy';
  return { url: url.href, [kind]: withPort(route.url) };
}

function folderUrl(text: string): URL {
  const url = new URL(text);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** The name of the bundle goes behind the folder, which works for plain folders only. */
function judgePlace(text: string, index: number): Problem[] {
  const { username, password, search, hash } = new URL(text);
  if (`${username}${password}${search}${hash}` === '') return [];
  return [
    {
      message: `release.${index} is more than the address of a folder`,
      hint: 'Leave out user names, ? and #; what must stay private is no place for a release.',
    },
  ];
}

/** TLS inside TLS is more than python3 does with what it has on board. */
function judgeRoute(route: Route): Problem[] {
  if (route.mode !== 'http-proxy' || new URL(route.url).protocol === 'http:') return [];
  return [
    {
      message: 'route.url is a proxy that itself speaks https',
      hint: "Give the proxy's http or socks5 address; what goes through it is verified anyway.",
    },
  ];
}
