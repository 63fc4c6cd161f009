import type { Site } from '#contract/site/site.ts';
import type { Context } from '../stage/stage.ts';
import { removeCapture } from './capture/remove.ts';
import { removeClient } from './client/client.ts';
import { applyDns } from './dns/dns.ts';
import { removeLocalProxy } from './local-proxy/local-proxy.ts';
import { removeRedirect } from './redirect/redirect.ts';
import { routeSettings } from './route-settings.ts';
import { settle } from './setting.ts';
import { removeSocks } from './socks/socks.ts';
import { restoreSources } from './sources-files.ts';
import { removeRouteTimer } from './timer.ts';
import { applySystemTrust } from './trust/system-trust.ts';

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
  const { host, site } = context;
  await removeCapture(host);
  const changed = await restoreSources(context);
  await removeRouteTimer(host);
  await removeSocks(host);
  await removeRedirect(host);
  await removeLocalProxy(host);
  await applySystemTrust({ ...context, site: withoutRoute(site) });
  for (const setting of (await routeSettings({ host, site: withoutRoute(site) })).reverse()) {
    await settle(host, setting);
  }
  await removeClient(host);
  await applyDns({ host, site: withoutRoute(site) });
  return changed;
}
