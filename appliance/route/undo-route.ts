import type { Site } from '#contract/site/site.ts';
import { install, remove } from '../host/service.ts';
import type { Context } from '../stage/stage.ts';
import { removeCapture } from './capture/state.ts';
import { removeClient } from './client/client.ts';
import { applyDns } from './dns/dns.ts';
import { localProxyService } from './local-proxy/local-proxy.ts';
import { removeRedirect } from './redirect/redirect.ts';
import { routeSettings } from './route-settings.ts';
import { socksService } from './socks/socks.ts';
import { restoreSources } from './sources-files.ts';
import { routeTimer } from './timer.ts';
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
  await remove(host, routeTimer);
  await remove(host, await socksService({ host, site: withoutRoute(site) }));
  await removeRedirect(host);
  await remove(host, localProxyService(withoutRoute(site)));
  await applySystemTrust({ ...context, site: withoutRoute(site) });
  await install(host, await routeSettings({ host, site: withoutRoute(site) }));
  await removeClient(host);
  await applyDns({ host, site: withoutRoute(site) });
  return changed;
}
