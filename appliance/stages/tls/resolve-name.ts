import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';

/** Returns the addresses of a name; undefined when the lookup fails. */
export type Resolve = (name: string) => Promise<readonly string[] | undefined>;

/**
 * The upstream servers of systemd-resolved. They are queried directly: systemd-resolved also answers
 * from /etc/hosts, where images map the server's own name to a loopback address.
 */
const uplinks = 'run/systemd/resolve/resolv.conf';
const resolverOptions = { timeout: 4000, tries: 2 };
/** Codes of a missing record. */
const noRecord = new Set(['ENOTFOUND', 'ENODATA']);

/** Returns a resolver with the DNS servers of this server. */
export async function systemResolver(host: Host): Promise<Resolve> {
  const text = (await readText(host, uplinks)) ?? '';
  const servers = [...text.matchAll(/^nameserver\s+(\S+)/gm)]
    .map(([, server = '']) => server)
    .filter((server) => isIP(server));
  return resolverOf(servers);
}

/** @param servers `address` or `address:port`; default: those of /etc/resolv.conf */
export function resolverOf(servers: readonly string[]): Resolve {
  const resolver = new Resolver(resolverOptions);
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.all([
      asked(() => resolver.resolve4(name)),
      asked(() => resolver.resolve6(name)),
    ]);
    const known = answers.filter((answer) => answer !== undefined);
    // A failed lookup of one address family must not count as a missing record.
    return known.length === answers.length || known.flat().length > 0 ? known.flat() : undefined;
  };
}

async function asked(look: () => Promise<string[]>): Promise<string[] | undefined> {
  try {
    return await look();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return noRecord.has(code) ? [] : undefined;
  }
}
