import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { localProxy, tinyproxyUpstream } from '#proxy-settings/local-proxy.ts';
import { isActive, type Service, unitFileOf } from '../../../server/host/service.ts';
import { type Measure, serviceMeasure } from '../../../server/stage/measure.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { hardenedService } from '../hardened-service.ts';

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

export const localProxyUnit = 'landfall-local-proxy.service';
/** Contains the login of the SOCKS5 proxy, so only root can read it. */
export const localProxyFile = 'etc/landfall/local-proxy.conf';

/**
 * Renders tinyproxy's settings. It listens on loopback only. Every request goes to the SOCKS5 proxy,
 * with its name unresolved, so a client cannot reach a service of this server through it. Any port is
 * allowed, because Node sends CONNECT for plain HTTP too.
 */
function renderLocalProxy(socks: string): string {
  return `# Made by Landfall: an HTTP proxy in front of the SOCKS5 proxy of the site.
Port ${localProxy.port}
Listen ${localProxy.host}
Allow ${localProxy.host}
Timeout 600
MaxClients 200
LogLevel Warning
DisableViaHeader Yes
${tinyproxyUpstream(socks)}
`;
}

/** Renders the unit: a dynamic user, which gets a copy of the settings and can write nothing. */
function renderLocalProxyUnit(): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: HTTP proxy in front of the SOCKS5 proxy
After=network.target
StartLimitIntervalSec=0

[Service]
Type=exec
LoadCredential=tinyproxy.conf:/${localProxyFile}
ExecStart=/usr/bin/tinyproxy -d -c \${CREDENTIALS_DIRECTORY}/tinyproxy.conf
Restart=always
RestartSec=2
DynamicUser=yes
${hardenedService('AF_UNIX AF_INET AF_INET6')}

[Install]
WantedBy=multi-user.target
`;
}
