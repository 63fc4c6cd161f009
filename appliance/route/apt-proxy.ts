import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import { bareHost, isExempt } from '#http/no-proxy.ts';
import { exemptions } from '../host/download/route-environment.ts';

/** Sorts after files of the image or the provider: apt uses the last value. */
export const aptProxyFile = 'etc/apt/apt.conf.d/99landfall-proxy';

/** apt's proxy settings as a file. */
interface AptProxy {
  /** The proxy URL in the form that apt accepts. */
  readonly proxy: string;
  readonly text: string;
  /** 0600 if the URL contains a password; apt reads the file as root. */
  readonly mode: number;
}

/**
 * Returns apt's proxy settings, or undefined for a direct route. apt supports HTTP proxies and
 * `socks5h`, but has no setting like NO_PROXY: exempt hosts are listed by name.
 */
export function aptProxy(site: Pick<Site, 'route' | 'mirrors'>): AptProxy | undefined {
  const route = effectiveRoute(site, 'host');
  if (route.mode === 'direct') return undefined;
  const proxy = route.url.replace(/^socks5:/, 'socks5h:');
  const direct = exemptHosts(site);
  const lines = ['http', 'https'].flatMap((scheme) => [
    `Acquire::${scheme}::Proxy "${proxy}";`,
    ...direct.map((host) => `Acquire::${scheme}::Proxy::${host} "DIRECT";`),
  ]);
  const text = `// Made by Landfall: the proxy of the site.\n${lines.join('\n')}\n`;
  return { proxy, text, mode: new URL(route.url).username === '' ? 0o644 : 0o600 };
}

/** Returns the plain host names of the site's no_proxy list, and its mirrors if they are exempt. */
function exemptHosts({ route, mirrors }: Pick<Site, 'route' | 'mirrors'>): string[] {
  const named = route.mode === 'direct' ? [] : route.no_proxy.filter((name) => plain.test(name));
  const near = [mirrors.apt, mirrors.apt_security]
    .filter((url) => url !== undefined)
    .map((url) => new URL(url))
    .filter((url) => isExempt(url, exemptions({ route })))
    .map(bareHost);
  return [...new Set([...named, ...near])];
}

const plain = /^[a-z0-9][a-z0-9.-]*$/i;
