import { isIP } from 'node:net';
import { z } from 'zod';
import { accessLink } from '#contract/site/network/access.ts';
import type { Host } from '../host.ts';
import { blockListOf } from '../private-ranges.ts';
import { readJsonFile } from '../state-file.ts';

const addressSchema = z.object({
  family: z.enum(['inet', 'inet6']),
  local: z.string(),
  temporary: z.boolean().optional(),
  deprecated: z.boolean().optional(),
});
/** With `scope`, ip prints empty objects for the addresses of other scopes. */
const linksSchema = z.array(z.object({ ifname: z.string(), addr_info: z.array(z.unknown()) }));

interface Addresses {
  readonly v4: readonly string[];
  readonly v6: readonly string[];
}

/** Addresses of the proxy client: the range for tests of network devices (RFC 2544). */
const testRange = blockListOf(['198.18.0.0/15']);

const inner = new RegExp(`^(?:docker\\d|br-|veth|lxc|virbr|${accessLink}$)`);

/**
 * Returns the addresses of this server's interfaces, without those of container runtimes, of the
 * tunnel and of the proxy client. Behind NAT they differ from the public address.
 */
export async function serverAddresses(host: Host): Promise<Addresses> {
  const { stdout } = await host.run('ip', ['-json', 'address', 'show', 'scope', 'global']);
  const lasting = linksSchema
    .parse(JSON.parse(stdout))
    .filter(({ ifname }) => !inner.test(ifname))
    .flatMap(({ addr_info }) => addr_info.map((entry) => addressSchema.safeParse(entry).data))
    .filter((address) => address !== undefined)
    .filter(({ temporary, deprecated }) => !temporary && !deprecated)
    .filter(({ family, local }) => family === 'inet6' || !testRange.check(local));
  const of = (family: string) =>
    lasting.filter((address) => address.family === family).map(({ local }) => local);
  return { v4: of('inet'), v6: of('inet6') };
}

/** Instance metadata of the provider, written by cloud-init; world-readable. */
const cloudFacts = 'run/cloud-init/instance-data.json';
/**
 * Where clouds state the public address in their metadata: the last keys of its path, without case,
 * `-` and `_`. Oracle and Google do not state it.
 */
const metadataPaths = {
  'Amazon, Hetzner, Tencent, Huawei, OpenStack, CloudStack': ['publicipv4'],
  OpenNebula: ['publicip'],
  Azure: ['publicipaddress'],
  Alibaba: ['eipv4'],
  Volcano: ['eipaddress'],
  Scaleway: ['publicips', 'address'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
const paths = Object.values(metadataPaths).map((keys) => `/${keys.join('/')}`);
const maxDepth = 12;

/** Special-purpose ranges (RFC 6890), including carrier-grade NAT (RFC 6598). */
const special = blockListOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
]);
/** 2000::/3 is the only range of global unicast addresses (RFC 4291). */
const outer = blockListOf(['2000::/3']);

/** Reports whether an address is globally routable. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && outer.check(address, 'ipv6');
}

/**
 * Returns the public address: a public address of the server, or the one in the provider's metadata.
 * No external service is queried. Undefined behind NAT if the metadata has no public address.
 */
export async function publicAddress(host: Host, own: Addresses): Promise<string | undefined> {
  const metadata = await readJsonFile(host, cloudFacts, z.unknown());
  return own.v4.find(isPublic) ?? findPublic(metadata, '', 0) ?? own.v6.find(isPublic);
}

function findPublic(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value === 'string') {
    return isPublic(value) && paths.some((known) => path.endsWith(known)) ? value : undefined;
  }
  if (typeof value !== 'object' || value === null || depth > maxDepth) return undefined;
  for (const [key, inside] of Object.entries(value)) {
    // Items of a list have the path of the list.
    const step = Array.isArray(value) ? '' : `/${key.toLowerCase().replaceAll(/[-_]/g, '')}`;
    const found = findPublic(inside, path + step, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
