import { LandfallError } from '#contract/errors.ts';
import { safeUrl } from '#http/safe-url.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { aptProxy } from './apt-proxy.ts';
import { removeCapture } from './capture/remove.ts';
import { captureTodo, wantsCapture, warnOfCapture } from './capture/state.ts';
import { applyClient, clientTodo, proveClient, removeClient } from './client/client.ts';
import { applyDns, dnsTodo, restartResolved } from './dns/dns.ts';
import { proveDns } from './dns/prove-dns.ts';
import {
  applyLocalProxy,
  localProxyTodo,
  missingForLocalProxy,
  proveLocalProxy,
} from './local-proxy/local-proxy.ts';
import { provePrecondition } from './precondition.ts';
import { applyRedirect, redirectTodo } from './redirect/redirect.ts';
import { routeSettings } from './route-settings.ts';
import { describeSetting, settle } from './setting.ts';
import { proveSocks } from './socks/prove-socks.ts';
import { applySocks, missingForSocks, socksTodo } from './socks/socks.ts';
import { changeSources, sourcesToChange } from './sources-files.ts';
import { hasRouteTimer, installRouteTimer } from './timer.ts';
import { applySystemTrust, proveSystemTrust, systemTrustTodo } from './trust/system-trust.ts';
import { warnOfProviders } from './warn-providers.ts';

/** Applies the route and the mirrors of the site before any download. */
export const routeStage: Stage = {
  name: 'route',
  title: 'route: proxies, mirrors and DNS servers of this server',
  check: async (context) => [
    ...(await routeChanges(context)),
    ...((await hasRouteTimer(context.host)) ? [] : ['check the route every 15 minutes']),
  ],
  apply: async (context) => {
    await applyDns(context);
    if (!wantsCapture(context.site)) await removeCapture(context.host);
    // Before the settings: they name the address of the client.
    await applyClient(context);
    for (const setting of await routeSettings(context)) await settle(context.host, setting);
    if (context.site.route.mode !== 'client') await removeClient(context.host);
    await changeSources(context);
    // A package of the archive: report an unreachable archive with the options of the site.
    const missing = [await missingForLocalProxy(context), await missingForSocks(context)];
    if (missing.flat().length > 0) await provePrecondition(context);
    await trustAndReload(context);
    await applyLocalProxy(context);
    await applyRedirect(context);
    await applySocks(context);
    await installRouteTimer(context.host);
  },
  prove: async (context) => {
    await proveDns(context);
    await proveClient(context);
    await warnOfCapture(context);
    await proveAptProxy(context);
    await proveLocalProxy(context);
    await proveSystemTrust(context);
    await proveSocks(context);
    await provePrecondition(context);
    if (context.site.route.mode === 'socks5') {
      context.report.warn({
        kind: 'route',
        subject: 'socks5',
        text: 'the SOCKS5 proxy serves packages, Docker, the inference engine, the relay and, as an HTTP proxy at 127.0.0.1:7890, the programs of this server; other containers have no proxy',
      });
    }
    await warnOfProviders(context);
  },
};

/** Returns the changes that bring the proxy and the mirrors of the site into effect. */
export async function routeChanges(context: Context): Promise<string[]> {
  const { host, site } = context;
  const changes = await sourcesToChange(context);
  const settings = await routeSettings(context);
  const lines = await Promise.all(settings.map((each) => describeSetting(host, each)));
  return [
    ...(await dnsTodo(context)),
    ...(await clientTodo(context)),
    ...(await captureTodo(host, site)),
    ...new Set(lines.filter((line) => line !== undefined)),
    ...(await systemTrustTodo(context)),
    ...(await localProxyTodo(context)),
    ...(await redirectTodo(context)),
    ...(await socksTodo(context)),
    ...changes.map(({ path }) => `use the mirror ${mirrorName(site.mirrors)} in /${path}`),
  ];
}

/** systemd-resolved reads the certificate authorities when it starts. */
async function trustAndReload(context: Context): Promise<void> {
  const changes = await systemTrustTodo(context);
  await applySystemTrust(context);
  if (changes.length > 0 && context.site.dns?.tls) await restartResolved(context.host);
}

/** A later file may override the proxy: apt uses the last value. */
async function proveAptProxy({ host, site }: Context): Promise<void> {
  const wanted = aptProxy(site);
  if (wanted === undefined) return;
  const { stdout } = await host.run('apt-config', ['dump', '--format', '%v%n', proxyName]);
  if (stdout.split('\n')[0] === wanted.proxy) return;
  throw new LandfallError('ROUTE_BLOCKED', 'apt does not use the proxy of the site', {
    hint: `Another file in /etc/apt/apt.conf.d sets ${proxyName}. Remove it, or set that proxy as the route of the site.`,
    retriable: false,
  });
}

const proxyName = 'Acquire::http::Proxy';

function mirrorName({ apt, apt_security }: Context['site']['mirrors']): string {
  const url = apt ?? apt_security;
  return url === undefined ? 'mirrors' : safeUrl(new URL(url));
}
