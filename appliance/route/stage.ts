import { LandfallError } from '#contract/errors.ts';
import { safeUrl } from '#http/safe-url.ts';
import { isFile, readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { aptProxy, aptProxyFile } from './apt-proxy.ts';
import { provePrecondition } from './precondition.ts';
import { proxyEnv, proxyEnvFile } from './proxy-env.ts';
import { changeSources, sourcesToChange } from './sources-files.ts';
import { hasRouteTimer, installRouteTimer } from './timer.ts';
import { warnOfProviders } from './warn-providers.ts';

/** Applies the route and the mirrors of the site before any download. */
export const routeStage: Stage = {
  name: 'route',
  title: 'route: proxies and mirrors of this server',
  check: async (context) => {
    const { host, site } = context;
    const changes = await sourcesToChange(context);
    return [
      ...(await Promise.all(settingsOf(context).map((each) => describe(host, each)))).flat(),
      ...changes.map(({ path }) => `use the mirror ${mirrorName(site.mirrors)} in /${path}`),
      ...((await hasRouteTimer(host)) ? [] : ['check the route every 15 minutes']),
    ];
  },
  apply: async (context) => {
    for (const setting of settingsOf(context)) await settle(context.host, setting);
    await changeSources(context);
    await installRouteTimer(context.host);
  },
  prove: async (context) => {
    await proveAptProxy(context);
    await provePrecondition(context);
    if (context.site.route.mode === 'socks5') {
      context.report.warn({
        kind: 'route',
        subject: 'socks5',
        text: 'the SOCKS5 proxy serves packages, Docker, the inference engine and the relay; other containers have no proxy',
      });
    }
    await warnOfProviders(context);
  },
};

/** A settings file of the route; it is removed if `text` is undefined. */
interface Setting {
  readonly path: string;
  readonly purpose: string;
  readonly text: string | undefined;
  readonly mode: number;
}

function settingsOf({ site }: Context): Setting[] {
  const apt = aptProxy(site);
  return [
    { path: aptProxyFile, purpose: 'packages', text: apt?.text, mode: apt?.mode ?? 0o644 },
    { path: proxyEnvFile, purpose: 'services', text: proxyEnv(site), mode: 0o600 },
  ];
}

async function describe(host: Host, { path, purpose, text, mode }: Setting): Promise<string[]> {
  if (text === undefined) {
    return (await readText(host, path)) === undefined ? [] : [`remove the proxy for ${purpose}`];
  }
  return (await isFile(host, path, text, { mode })) ? [] : [`set the proxy for ${purpose}`];
}

async function settle(host: Host, { path, text, mode }: Setting): Promise<void> {
  if (text === undefined) await removeFile(host, path);
  else await writeText(host, path, text, { mode });
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
