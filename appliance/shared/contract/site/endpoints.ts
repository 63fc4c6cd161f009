import { bareAddressComponent, type PortComponent } from '../component-names.ts';
import type { ComponentName } from '../components.ts';
import { type ComponentSettings, hostNames, isForServer, servedHosts } from './enabled.ts';
import { gatewayAddress, hasDefaultPort, publicPorts } from './network/public-ports.ts';
import type { Site } from './site.ts';

/** Returns scheme, host and port at the gateway, without a trailing slash. RFC 3986, section 3.2.2. */
export function originOf(site: Pick<Site, 'hosts' | 'tls'>, host: string): Origin {
  const bracketed = host.includes(':') ? `[${host}]` : host;
  if (site.tls.mode === 'off') return `http://${bracketed}`;
  return `https://${bracketed}${hasDefaultPort(site) ? '' : `:${publicPorts(site).https}`}`;
}

export type Origin = `${'http' | 'https'}://${string}`;

/**
 * Returns the origin of a component at the gateway, or undefined if it has none. A site without
 * host names serves one component at its bare address, or in its tunnel.
 */
export function urlOf(
  site: ComponentSettings & Pick<Site, 'tls'> & Partial<Pick<Site, 'access'>>,
  name: ComponentName,
  bareAddress?: string,
): string | undefined {
  const hosts: Partial<Record<ComponentName, string>> = servedHosts(site);
  const isBare =
    name === bareAddressComponent && Object.keys(hosts).length === 0 && isForServer(site, name);
  const host = hosts[name] ?? (isBare ? (gatewayAddress(site) ?? bareAddress) : undefined);
  return host === undefined ? undefined : originOf(site, host);
}

/** Returns the port of a component on the loopback address of the server, or undefined. */
export function portOf({ ports }: Pick<Site, 'ports'>, name: ComponentName): number | undefined {
  return (ports as Partial<Record<ComponentName, number>>)[name];
}

type TunnelSite = Pick<Site, 'hosts' | 'ports'>;

/** An SSH tunnel to a component, and its local URL. */
interface Tunnel {
  readonly command: string;
  readonly url: string;
}

/**
 * Returns the SSH tunnel to a component, or undefined if it has no port.
 * @param login the login command, such as `ssh`, `ops@203.0.113.5`. Default: one with placeholders
 * for unknown names. It never contains the administrator's name, because pages show it
 */
export function tunnelTo(site: TunnelSite, name: PortComponent, login?: readonly string[]): Tunnel;
export function tunnelTo(
  site: TunnelSite,
  name: ComponentName,
  login?: readonly string[],
): Tunnel | undefined;
export function tunnelTo(
  site: TunnelSite,
  name: ComponentName,
  login: readonly string[] = loginOf(site),
): Tunnel | undefined {
  const port = portOf(site, name);
  if (port === undefined) return undefined;
  const [ssh = 'ssh', ...destination] = login;
  // The explicit address keeps the tunnel local even if the client sets `GatewayPorts`.
  const forward = `127.0.0.1:${port}:127.0.0.1:${port}`;
  return {
    command: [ssh, '-N', '-L', forward, ...destination].join(' '),
    url: `http://127.0.0.1:${port}`,
  };
}

/** Returns the login command of a user, with a host name of the site or a placeholder. */
function loginOf({ hosts }: TunnelSite, user = 'USER'): string[] {
  return ['ssh', `${user}@${hostNames({ hosts })[0] ?? 'SERVER'}`];
}

/**
 * The header with the secret pass of an open update. The gateway of a server that is closed for the
 * update serves requests with it, so that the tests of the new release go through the gateway.
 */
export const passHeader = 'X-Landfall-Pass';
