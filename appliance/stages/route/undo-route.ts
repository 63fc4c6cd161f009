import type { Site } from '#contract/site/site.ts';
import { remove } from '../../server/host/service.ts';
import { serviceMeasure } from '../../server/stage/measure.ts';
import type { Context } from '../../server/stage/stage.ts';
import { removeCapture } from './capture/state.ts';
import { formerClientMeasure } from './client/client.ts';
import { dnsMeasure } from './dns/dns.ts';
import { localProxyMeasure } from './local-proxy/local-proxy.ts';
import { redirectMeasure } from './redirect/redirect.ts';
import { routeSettings } from './route-settings.ts';
import { socksMeasure } from './socks/socks.ts';
import { restoreSources } from './sources-files.ts';
import { routeTimer } from './timer.ts';
import { trustMeasure } from './trust/system-trust.ts';

/** Returns a site without its route, mirrors, certificate authorities, DNS servers and SOCKS5 server. */
export function withoutRoute(site: Site): Site {
  return {
    ...site,
    route: { mode: 'direct' },
    mirrors: { registries: {} },
    ca: undefined,
    dns: undefined,
    socks: undefined,
  };
}

/**
 * Undoes what the stage route wrote, with the timer of route checks, the redirection of users and the
 * SOCKS5 server: /etc is as before. The site keeps its route.
 * @returns paths of sources files that were changed since and stay as they are
 */
export async function undoRoute(context: Context): Promise<string[]> {
  const without = { ...context, site: withoutRoute(context.site) };
  await removeCapture(context.host);
  const changed = await restoreSources(context);
  await remove(context.host, routeTimer);
  for (const measure of measures) await measure.apply(without);
  return changed;
}

/** In the order in which they go out of effect. */
const measures = [
  socksMeasure,
  redirectMeasure,
  localProxyMeasure,
  trustMeasure,
  serviceMeasure(routeSettings),
  formerClientMeasure,
  dnsMeasure,
];
