import { serviceNames } from '#contract/component-names.ts';
import { siteCertificates } from '#contract/site/certificates/ca.ts';
import {
  type EffectiveRoute,
  effectiveRoute,
  type Side,
} from '#contract/site/network/effective-route.ts';
import { withPort } from '#contract/site/route.ts';
import type { Site } from '#contract/site/site.ts';
import { localProxy } from '#proxy-settings/local-proxy.ts';
import { noProxyText } from '#proxy-settings/variables.ts';

type Environment = Readonly<Record<string, string>>;

/**
 * Returns the site's route as proxy variables for any program. Empty for a SOCKS proxy, because many
 * programs would treat it as an HTTP proxy. SPEC 2.2.
 */
export function routeEnvironment(site: Pick<Site, 'route'>, side: Side): Environment {
  const route = effectiveRoute(site, side);
  return route.mode === 'http-proxy' ? variables(route) : {};
}

/**
 * Returns the proxy variables for Go programs such as Docker and Ollama. Go also supports SOCKS5; it
 * resolves names at the proxy and accepts only the scheme `socks5`.
 */
export function goRouteEnvironment(site: Pick<Site, 'route'>, side: Side): Environment {
  const route = effectiveRoute(site, side);
  if (route.mode === 'direct') return {};
  return variables({ ...route, url: route.url.replace(/^socks5h:/, 'socks5:') });
}

/**
 * Returns the proxy variables for any program of this server that is not in a container. A SOCKS5
 * route has an HTTP proxy on loopback (decision 42).
 */
export function hostRouteEnvironment(site: Pick<Site, 'route'>): Environment {
  const { route } = site;
  return route.mode === 'socks5'
    ? variables({ ...route, url: localProxy.url })
    : routeEnvironment(site, 'host');
}

/**
 * Services that programs with a route connect to. The balancer is for the chat UI and the relay, which
 * have none; with its name, a release with it would restart Ollama on servers without it.
 */
const exemptServices = serviceNames.filter((name) => name !== 'balancer');

/** Returns the value of NO_PROXY: the built-in exemptions and those of the site. */
export function exemptions({ route }: Pick<Site, 'route'>): string {
  const own = route.mode === 'direct' ? [] : route.no_proxy;
  return noProxyText(own, exemptServices);
}

/** Returns the variables of SPEC 2.2, in upper and lower case, because programs differ in which they read. */
function variables(route: Exclude<EffectiveRoute, { mode: 'direct' }>): Environment {
  // Without an explicit port, curl uses a different default than other programs.
  const proxy = withPort(route.url);
  const values = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: exemptions({ route }) };
  const lower = Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...values, ...Object.fromEntries(lower) };
}

/**
 * Renders variables as a file for both systemd's EnvironmentFile= and the shell's `.`. Values come
 * from a validated site and contain no single quote and no line break.
 */
export function environmentFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}

/** The certificate authorities of the system, which update-ca-certificates(8) writes. */
export const systemBundle = 'etc/ssl/certs/ca-certificates.crt';

/** Variables of programs that do not read the system's certificate authorities. */
const trustVariableNames = ['REQUESTS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/** Returns the variables that make programs trust the site's certificate authorities (SPEC 2.2). */
export function trustVariables(site: Pick<Site, 'ca'>): Readonly<Record<string, string>> {
  if (siteCertificates(site).length === 0) return {};
  return Object.fromEntries(trustVariableNames.map((name) => [name, `/${systemBundle}`]));
}
