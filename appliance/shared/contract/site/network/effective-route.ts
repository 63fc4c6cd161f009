import type { Route, Site } from '../site.ts';

/** Where a program runs: on the server itself, or in a container of it. */
export type Side = 'host' | 'container';

/** A route without a proxy client: programs connect directly or to one proxy. */
export type EffectiveRoute = Exclude<Route, { readonly mode: 'client' }>;

/**
 * Where the proxy client listens. Containers cannot reach loopback of the host, so it has a second
 * address of the host. The range is for tests of network devices (RFC 2544), so
 * neither Docker nor a provider uses it.
 */
export const clientEndpoints = {
  host: { address: '127.0.0.1', port: 7890 },
  container: { address: '198.19.254.1', port: 7890 },
} as const satisfies Record<Side, { readonly address: string; readonly port: number }>;

/**
 * Returns how a program connects to the internet. A route over a proxy client is an HTTP proxy for
 * every program; other routes are the same on both sides.
 */
export function effectiveRoute({ route }: Pick<Site, 'route'>, side: Side): EffectiveRoute {
  if (route.mode !== 'client') return route;
  const { address, port } = clientEndpoints[side];
  return { mode: 'http-proxy', url: `http://${address}:${port}`, no_proxy: route.no_proxy };
}
