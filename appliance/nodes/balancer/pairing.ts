import { stringify } from 'yaml';
import { enginePort } from '#contract/site/engines/engine-node.ts';
import type { Site } from '#contract/site/site.ts';
import { ipVersion } from '#platform/ip.ts';
import { internalAuthority } from '../../server/certificates/internal-authority.ts';
import type { Host } from '../../server/host/host.ts';
import { isPublic, publicAddress, serverAddresses } from '../../server/host/outside/addresses.ts';
import { serverName } from '../../server/host/server.ts';

/** The fields of a node's site that allow this server to use it. */
export interface NodeSite {
  readonly role: 'engine-node';
  readonly engine_node: { readonly client_ca: string; readonly clients: readonly string[] };
}

/** The entry of a node in `engines.nodes` of the first server. */
export interface NodeEntry {
  readonly name: string;
  readonly url: string;
  readonly ca: string;
  readonly slots: number;
}

/** Limit of the schema for `clients`. */
const maxClients = 16;

/** Returns what the site of a node needs. Creates the authority of this server if it is missing. */
export async function nodeSite(host: Host): Promise<NodeSite> {
  const { chain } = await internalAuthority(host);
  const clients = (await outerAddresses(host)).slice(0, maxClients);
  return { role: 'engine-node', engine_node: { client_ca: chain, clients } };
}

/** Formats it as a part of site.yaml. */
export function describeNodeSite(site: NodeSite): string {
  return [
    '# Add these fields to the site.yaml of a node. `clients` has the addresses of this server;',
    '# through a private network, list its private address instead.',
    stringify(site, { lineWidth: 0 }).trimEnd(),
  ].join('\n');
}

/** Returns the entry of this engine node for the first server. Creates its authority if it is missing. */
export async function nodeEntry(
  host: Host,
  { engine_node: settings }: Pick<Site, 'engine_node'>,
): Promise<NodeEntry> {
  const { chain } = await internalAuthority(host);
  const [address = 'localhost'] = await outerAddresses(host);
  const bracketed = ipVersion(address) === 6 ? `[${address}]` : address;
  return {
    name: nodeName(await serverName(host)),
    url: `https://${bracketed}:${enginePort}`,
    ca: chain,
    slots: settings?.slots ?? 1,
  };
}

/**
 * Returns the command that adds a node on the first server. A shell takes it as one line. The one for a Swarm
 * prints a token, and what to do with it.
 */
export function addNodeCommand(
  entry: NodeEntry,
  { engine_node: settings }: Pick<Site, 'engine_node'>,
): string {
  if (settings?.client_ca === undefined) return `sudo landfall node token ${entry.name}`;
  return `sudo landfall site add engines.nodes '${JSON.stringify(entry)}'`;
}

/** Returns a host name as a name of the schema; `local` is the first server. */
export function nodeName(hostName: string): string {
  const label = (hostName.split('.')[0] ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const name = label.replace(/^-+/, '');
  const valid = /^[a-z]/.test(name) && name !== 'local' ? name : `node-${name}`;
  return valid.slice(0, 32).replace(/-+$/, '');
}

/** Returns the public addresses of this server, or its private ones if it has no public address. */
async function outerAddresses(host: Host): Promise<string[]> {
  const own = await serverAddresses(host);
  const seen = [await publicAddress(host, own), ...own.v4.filter(isPublic), ...own.v6];
  const outer = seen.filter((address) => address !== undefined).filter(isPublic);
  return [...new Set(outer.length > 0 ? outer : [...own.v4, ...own.v6])];
}
