import { serviceNames } from '#contract/component-names.ts';
import { withPort } from '#contract/site/proxy-port.ts';
import type { Site } from '#contract/site/site.ts';

/** The variables of SPEC 2.2, in both cases: programs disagree about which one counts. */
type RouteEnvironment = Readonly<Record<RouteVariable, string>>;
type RouteVariable = Name | Lowercase<Name>;
type Name = 'HTTP_PROXY' | 'HTTPS_PROXY' | 'NO_PROXY';

/**
 * What never goes through a proxy. Names stand bare and with a leading dot, the loopback addresses
 * one by one, `*.local` beside `.local`: no single way of writing is understood by everybody.
 */
const always = [
  'localhost',
  '127.0.0.1',
  '::1',
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
  '.local',
  '*.local',
  'host.docker.internal',
  ...serviceNames.flatMap((name) => [name, `.${name}`]),
];

/**
 * The site's way out as variables for any program, or nothing where there is none that any program
 * understands: many mistake a SOCKS proxy for one that speaks HTTP, so those get none. SPEC 2.2.
 */
export function routeEnvironment(
  site: Pick<Site, 'route'>,
): RouteEnvironment | Readonly<Record<string, never>> {
  return site.route.mode === 'http-proxy' ? variables(site.route) : {};
}

/**
 * The same for programs in Go, such as the engine. These speak SOCKS5 as well, let the proxy
 * resolve names, and know it by the scheme `socks5` alone.
 */
export function engineEnvironment(
  site: Pick<Site, 'route'>,
): RouteEnvironment | Readonly<Record<string, never>> {
  if (site.route.mode === 'direct') return {};
  return variables({ ...site.route, url: site.route.url.replace(/^socks5h:/, 'socks5:') });
}

/** What stays direct, as NO_PROXY has it: ours and the site's own. */
export function exemptions({ route }: Pick<Site, 'route'>): string {
  const own = route.mode === 'direct' ? [] : route.no_proxy;
  return [...new Set([...always, ...own])].join(',');
}

function variables(route: Exclude<Site['route'], { mode: 'direct' }>): RouteEnvironment {
  // Where an address has no port, curl takes another one than everybody else.
  const [proxy, direct] = [withPort(route.url), exemptions({ route })];
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: direct,
    http_proxy: proxy,
    https_proxy: proxy,
    no_proxy: direct,
  };
}
