import type { Site } from '#contract/site/site.ts';
import type { Context } from '../stage/stage.ts';
import { removeLocalProxy } from './local-proxy/local-proxy.ts';
import { removeRedirect } from './redirect/redirect.ts';
import { routeSettings } from './route-settings.ts';
import { settle } from './setting.ts';
import { restoreSources } from './sources-files.ts';
import { removeRouteTimer } from './timer.ts';
import { applySystemTrust } from './trust/system-trust.ts';

/** Returns a site without its route, its mirrors and its certificate authorities. */
export function withoutRoute(site: Site): Site {
  return { ...site, route: { mode: 'direct' }, mirrors: { registries: {} }, ca: undefined };
}

/**
 * Undoes what the stage route wrote, with the timer of route checks and the redirection of users: /etc
 * is as before. The site keeps its route.
 * @returns paths of sources files that were changed since and stay as they are
 */
export async function undoRoute(context: Context): Promise<string[]> {
  const changed = await restoreSources(context);
  const { host, site } = context;
  await removeRouteTimer(host);
  await removeRedirect(host);
  await removeLocalProxy(host);
  await applySystemTrust({ ...context, site: withoutRoute(site) });
  for (const setting of (await routeSettings({ host, site: withoutRoute(site) })).reverse()) {
    await settle(host, setting);
  }
  return changed;
}
