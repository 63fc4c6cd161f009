import type { Site } from '#contract/site/site.ts';
import { bareHost, isExempt } from '#http/no-proxy.ts';
import { exemptions } from '../host/download/route-environment.ts';

/** Behind whatever else an image or a provider has put there. */
export const aptProxyFile = 'etc/apt/apt.conf.d/99landfall-proxy';

/** The settings as text, and who may read them. */
interface AptProxy {
  /** As apt is to understand it. */
  readonly proxy: string;
  readonly text: string;
  /** 0600 where it holds a password: apt reads it as root, and tells its helpers. */
  readonly mode: number;
}

/**
 * The site's way out for apt, or nothing where it goes there directly. apt speaks HTTP proxies and
 * `socks5h` by itself, and knows no NO_PROXY in its settings: what is exempt is listed by name.
 */
export function aptProxy({
  route,
  mirrors,
}: Pick<Site, 'route' | 'mirrors'>): AptProxy | undefined {
  if (route.mode === 'direct') return undefined;
  const proxy = route.url.replace(/^socks5:/, 'socks5h:');
  const direct = exemptHosts({ route, mirrors });
  const lines = ['http', 'https'].flatMap((scheme) => [
    `Acquire::${scheme}::Proxy "${proxy}";`,
    ...direct.map((host) => `Acquire::${scheme}::Proxy::${host} "DIRECT";`),
  ]);
  const text = `// The way out that the site names.\n${lines.join('\n')}\n`;
  return { proxy, text, mode: new URL(route.url).username === '' ? 0o644 : 0o600 };
}

/** Plain names of the site's own list, and its mirrors where anything exempts them. */
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
