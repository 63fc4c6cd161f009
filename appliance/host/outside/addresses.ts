import { BlockList } from 'node:net';
import { z } from 'zod';
import type { Host } from '../host.ts';

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
const testRange = new BlockList();
testRange.addSubnet('198.18.0.0', 15, 'ipv4');

const inner = /^(?:docker\d|br-|veth|lxc|virbr)/;

/**
 * Returns the addresses of this server's interfaces, without those of container runtimes and of the
 * proxy client. Behind NAT they differ from the public address.
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
