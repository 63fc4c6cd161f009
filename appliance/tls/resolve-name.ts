import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { readText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/** The addresses of a name, none where it has none; nothing where nobody could be asked. */
export type Resolve = (name: string) => Promise<readonly string[] | undefined>;

/**
 * The servers that systemd-resolved asks. It is passed by, as is /etc/hosts, because it takes
 * answers from there, and images put the server's own name in with an address of loopback.
 */
const uplinks = 'run/systemd/resolve/resolv.conf';
const patience = { timeout: 4000, tries: 2 };
/** The answers that say that there is no such record. */
const nothing = new Set(['ENOTFOUND', 'ENODATA']);

/** Looks names up where this server looks them up. */
export async function systemResolver(host: Host): Promise<Resolve> {
  const text = (await readText(host, uplinks)) ?? '';
  const servers = [...text.matchAll(/^nameserver\s+(\S+)/gm)]
    .map(([, server = '']) => server)
    .filter((server) => isIP(server));
  return resolverOf(servers);
}

/** @param servers `address` or `address:port`; those of /etc/resolv.conf when there are none */
export function resolverOf(servers: readonly string[]): Resolve {
  const resolver = new Resolver(patience);
  if (servers.length > 0) resolver.setServers(servers);
  return async (name) => {
    const answers = await Promise.all([
      asked(() => resolver.resolve4(name)),
      asked(() => resolver.resolve6(name)),
    ]);
    const known = answers.filter((answer) => answer !== undefined);
    // One family that could not be looked up must not pass for one that is not there.
    return known.length === answers.length || known.flat().length > 0 ? known.flat() : undefined;
  };
}

async function asked(look: () => Promise<string[]>): Promise<string[] | undefined> {
  try {
    return await look();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return nothing.has(code) ? [] : undefined;
  }
}
