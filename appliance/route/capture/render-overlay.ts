import { clientEndpoints } from '#contract/site/network/effective-route.ts';
import { captureLink, captureMark, clientRules, clientTable } from './names.ts';

interface OverlayFacts {
  /** The DNS server of this server, which resolves the name of the proxy only. */
  readonly ownResolver: string;
  /** The DNS server for all other names, which the client reaches through the proxy. */
  readonly farResolver: string;
  readonly hasIPv6: boolean;
}

/**
 * Renders what sing-box merges into the configuration of the active client. Its file name sorts before
 * `config.json`, so its values and rules have priority. It contains no secrets.
 *
 * The rules apply to the TUN interface only: containers must not reach private networks through the
 * HTTP proxy. DNS queries go through this proxy too, so they use the proxy in use.
 */
export function renderOverlay({ ownResolver, farResolver, hasIPv6 }: OverlayFacts): string {
  const inbound = 'capture';
  const { address, port } = clientEndpoints.host;
  return format({
    dns: {
      servers: [
        { type: 'udp', tag: 'own', server: ownResolver },
        { type: 'tcp', tag: 'far', server: farResolver, detour: 'itself' },
      ],
      final: 'far',
    },
    inbounds: [
      {
        ...{ type: 'tun', tag: inbound, interface_name: captureLink },
        address: ['198.19.255.1/30', ...(hasIPv6 ? ['fdfe:dcba:9876::1/126'] : [])],
        ...{ auto_route: true, strict_route: false, stack: 'gvisor' },
        ...{ iproute2_table_index: clientTable, iproute2_rule_index: clientRules },
      },
    ],
    outbounds: [
      { type: 'direct', tag: 'private' },
      { type: 'http', tag: 'itself', server: address, server_port: port },
    ],
    route: {
      default_mark: captureMark,
      default_domain_resolver: 'own',
      rules: [
        { inbound, action: 'sniff' },
        { inbound, protocol: 'dns', action: 'hijack-dns' },
        { inbound, ip_is_private: true, outbound: 'private' },
      ],
    },
  });
}

/**
 * Renders what sing-box merges into the configuration of a candidate: its connections must not enter
 * the TUN interface of the active client, whose proxy may not work.
 */
export function renderCandidateOverlay({ ownResolver }: Pick<OverlayFacts, 'ownResolver'>): string {
  return format({
    dns: { servers: [{ type: 'udp', tag: 'own', server: ownResolver }] },
    route: { default_mark: captureMark, default_domain_resolver: 'own' },
  });
}

/** What sing-box merges without a TUN interface, while the server connects directly. */
export const emptyOverlay = '{}\n';

function format(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
