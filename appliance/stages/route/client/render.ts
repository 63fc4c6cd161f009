import { clientBinary, currentRelease } from '#contract/server-paths.ts';
import { clientEndpoints } from '#contract/site/network/effective-route.ts';
import type { ProxyEntry } from '#proxies/protocols/registry.ts';
import { singBoxOutbound } from '#proxies/sing-box/write.ts';
import { hardenedService } from '../hardened-service.ts';

/** The roles of a configuration: tested, in use, and the last one in use. */
export const clientRoles = ['candidate', 'active', 'previous'] as const;
type ClientRole = (typeof clientRoles)[number];

/** Where the client with the candidate listens, beside the active one. */
export const candidateEndpoint = { address: '127.0.0.1', port: 7889 } as const;

/** Returns the path of the configuration of a role. It contains passwords. */
export function configFile(role: ClientRole): string {
  return `etc/landfall/route/${role}/config.json`;
}

/**
 * Renders the configuration of sing-box 1.14 for one proxy. The proxy is the only outbound, so no
 * connection can leave the server in another way, and the proxy resolves all names but its own.
 */
export function renderClient(proxy: ProxyEntry, role: 'candidate' | 'active'): string {
  return render(role, [singBoxOutbound(proxy)], { final: proxy.name });
}

/**
 * Renders the configuration for `on_failure: direct`. Private addresses are rejected: otherwise
 * containers could reach the services of this server and of its network through the client.
 */
export function renderDirect(): string {
  const rules = [{ action: 'resolve' }, { ip_is_private: true, action: 'reject' }];
  return render('active', [{ type: 'direct', tag: 'direct' }], { rules, final: 'direct' });
}

function render(
  role: 'candidate' | 'active',
  outbounds: readonly object[],
  route: Readonly<Record<string, unknown>>,
): string {
  const listeners =
    role === 'candidate' ? [candidateEndpoint] : [clientEndpoints.host, clientEndpoints.container];
  const config = {
    log: { level: 'warn' },
    dns: { servers: [{ type: 'local', tag: 'system' }] },
    inbounds: listeners.map(({ address, port }, index) => ({
      ...{ type: 'mixed', tag: `in-${index + 1}`, listen: address, listen_port: port },
    })),
    outbounds,
    route: { ...route, default_domain_resolver: 'system' },
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}

/**
 * The address for containers, as arguments of ip(8). It is on loopback, because not every kernel has
 * the device type `dummy`, and because loopback is never configured by a manager of networks.
 */
export const clientAddress = [`${clientEndpoints.container.address}/32`, 'dev', 'lo'] as const;

/** Where the unit sees the program: only root can read the folders of releases. */
export const clientProgram = '/run/landfall-client/sing-box';

/** Returns the unit of a role; `landfall-route.service` is the scheduled check. */
export function clientUnit(role: 'candidate' | 'active'): string {
  return `landfall-client@${role}.service`;
}

/**
 * Renders the unit: a dynamic user without capabilities, which gets a copy of the configuration and
 * can write nothing. root adds the address for containers before the client starts.
 */
export function renderClientUnit(): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Unit]
Description=Landfall: proxy client (%i)
After=network.target
StartLimitIntervalSec=0

[Service]
Type=exec
BindReadOnlyPaths=/${currentRelease}/${clientBinary}:${clientProgram}
LoadCredential=config.json:/etc/landfall/route/%i/config.json
ExecStartPre=+/usr/sbin/ip address replace ${clientAddress.join(' ')}
ExecStartPre=${clientProgram} check -c \${CREDENTIALS_DIRECTORY}/config.json
ExecStart=${clientProgram} run --disable-color -c \${CREDENTIALS_DIRECTORY}/config.json
Restart=always
RestartSec=2
DynamicUser=yes
LimitNOFILE=8192
TasksMax=256
MemoryMax=256M
${hardenedService('AF_UNIX AF_INET AF_INET6 AF_NETLINK')}

[Install]
WantedBy=multi-user.target
`;
}
