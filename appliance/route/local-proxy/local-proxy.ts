import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { localProxy } from '#proxy-settings/local-proxy.ts';
import { type Service, unitFileOf } from '../../host/service.ts';
import { isActive } from '../../host/systemd.ts';
import { type Measure, serviceMeasure } from '../../stage/measure.ts';
import type { Context } from '../../stage/stage.ts';
import {
  localProxyFile,
  localProxyUnit,
  renderLocalProxy,
  renderLocalProxyUnit,
} from './render.ts';

const address = `${localProxy.host}:${localProxy.port}`;

/** Returns the HTTP proxy of a SOCKS5 route. apt must already use the route. */
export function localProxyService({ route }: Pick<Site, 'route'>): Service {
  const socks = route.mode === 'socks5' ? route.url : undefined;
  return {
    // The program without the service of the package tinyproxy, which would listen on all addresses.
    packages: ['tinyproxy-bin'],
    files: [
      { path: localProxyFile, text: socks && renderLocalProxy(socks), mode: 0o600 },
      { path: unitFileOf(localProxyUnit), text: renderLocalProxyUnit() },
    ],
    units: [{ name: localProxyUnit, restart: 'always' }],
    summary: `start an HTTP proxy at ${address}`,
    unwanted: socks ? undefined : 'remove the local HTTP proxy',
  };
}

/** Installs the HTTP proxy of a SOCKS5 route, or removes it. */
export const localProxyMeasure: Measure = serviceMeasure(
  ({ site }) => localProxyService(site),
  prove,
);

async function prove({ host, site }: Context): Promise<void> {
  if (site.route.mode !== 'socks5' || (await isActive(host, localProxyUnit))) return;
  throw new LandfallError('ROUTE_BLOCKED', `the HTTP proxy at ${address} is not running`, {
    hint: `Check: sudo journalctl -u ${localProxyUnit}. Another program may use the port.`,
  });
}
