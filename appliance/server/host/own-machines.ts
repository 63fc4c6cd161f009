import { isKeyless } from '#contract/site/providers/provider-api.ts';
import type { Site } from '#contract/site/site.ts';
import { isPrivate } from './private-ranges.ts';

/**
 * Returns the route of a site with the private addresses of the administrator's own machines exempt: a
 * proxy outside of the network cannot reach them. Names are not resolved.
 */
export function routeToProviders<Route extends Site['route']>(
  { providers }: Pick<Site, 'providers'>,
  route: Route,
): Route {
  const own = Object.values(providers)
    .filter((settings) => isKeyless(settings))
    .map(({ base_url }) => new URL(base_url).hostname.replace(/^\[(.*)\]$/, '$1'))
    .filter(isPrivate);
  if (route.mode === 'direct' || own.length === 0) return route;
  return { ...route, no_proxy: [...new Set([...route.no_proxy, ...own])] };
}
