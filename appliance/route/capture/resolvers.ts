import { addressesOf } from '#contract/site/network/dns.ts';
import type { Site } from '#contract/site/site.ts';
import { ipVersion } from '#platform/ip.ts';
import { readText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { isPrivate } from '../../host/private-ranges.ts';

/** The file with the DNS servers of systemd-resolved; /etc/resolv.conf names only itself. */
const resolvedServers = 'run/systemd/resolve/resolv.conf';
/** Answers over TCP, and can be reached from the proxies of most providers. */
const publicResolver = '1.1.1.1';

/**
 * Returns the DNS servers of the client: one that this server reaches, and a public one that the proxy
 * reaches. systemd-resolved cannot be the first one: its queries enter the TUN interface.
 */
export async function clientResolvers(
  host: Host,
  { dns }: Pick<Site, 'dns'>,
): Promise<{ readonly ownResolver: string; readonly farResolver: string }> {
  const configured = dns === undefined ? [] : addressesOf(dns);
  const texts = [await readText(host, resolvedServers), await readText(host, 'etc/resolv.conf')];
  const found = texts.flatMap((text) => serversIn(text ?? ''));
  return {
    ownResolver: [...configured, ...found][0] ?? publicResolver,
    farResolver: configured.find((address) => !isPrivate(address)) ?? publicResolver,
  };
}

function serversIn(text: string): string[] {
  return [...text.matchAll(/^nameserver\s+(\S+)/gm)]
    .map(([, address = '']) => address)
    .filter((address) => ipVersion(address) !== 0)
    .filter((address) => !address.startsWith('127.') && address !== '::1');
}
