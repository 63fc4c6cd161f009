import { localProxy } from '#proxy-settings/local-proxy.ts';
import { tinyproxyUpstream } from '#proxy-settings/tinyproxy-upstream.ts';
import { hardenedService } from '../hardened-service.ts';

export const localProxyUnit = 'landfall-local-proxy.service';
/** Contains the login of the SOCKS5 proxy, so only root can read it. */
export const localProxyFile = 'etc/landfall/local-proxy.conf';

/**
 * Renders tinyproxy's settings. It listens on loopback only. Every request goes to the SOCKS5 proxy,
 * with its name unresolved, so a client cannot reach a service of this server through it. Any port is
 * allowed, because Node sends CONNECT for plain HTTP too.
 */
export function renderLocalProxy(socks: string): string {
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
export function renderLocalProxyUnit(): string {
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
