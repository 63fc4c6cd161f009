import { clientEndpoints } from '#contract/site/network/effective-route.ts';
import type { ProxyEntry } from '#proxies/protocols/registry.ts';
import { singBoxOutbound } from '#proxies/sing-box/write.ts';

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
