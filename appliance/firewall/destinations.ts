import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { clientEndpoints, effectiveRoute } from '#contract/site/network/effective-route.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { isPrivate } from '../host/private-ranges.ts';

/** An endpoint in a private range that containers may reach. */
export interface Destination {
  readonly address: string;
  readonly port: number;
}

const portsOfSchemes: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
  'socks5h:': 1080,
};

/**
 * Returns the endpoints in private ranges that containers may reach: the proxies, the providers and
 * the certificate authority of the site. Names are resolved now; unresolved names are skipped.
 */
export async function privateDestinations(host: Host, site: Site): Promise<Destination[]> {
  const resolved = await Promise.all(
    urlsOf(site).map(async (url) => {
      const addresses = await host.outside.measure(() => addressesOf(url.hostname));
      const port = Number(url.port) || (portsOfSchemes[url.protocol] ?? 0);
      return addresses.filter(isPrivate).map((address) => ({ address, port }));
    }),
  );
  // Not private for `isPrivate`; it is an address of this server, which no other rule opens.
  const client = site.route.mode === 'client' ? [clientEndpoints.container] : [];
  const byText = new Map(
    [...resolved.flat(), ...client]
      .filter(({ port }) => port > 0)
      .map((endpoint) => [`${endpoint.address} ${endpoint.port}`, endpoint]),
  );
  return [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []);
}

function urlsOf(site: Site): URL[] {
  const route = effectiveRoute(site, 'container');
  const { providers, hub, tls, variables } = site;
  const texts = [
    route.mode === 'direct' ? undefined : route.url,
    ...Object.values(providers).map(({ base_url }) => base_url),
    hub?.base_url,
    tls.server?.url,
    variables.HTTP_PROXY,
    variables.HTTPS_PROXY,
    variables.PROVIDER_BASE_URL,
    variables.PROVIDER_PROXY_URL,
    variables.SECOND_PROVIDER_BASE_URL,
  ];
  return texts.flatMap((text) => (text && URL.canParse(text) ? [new URL(text)] : []));
}

async function addressesOf(hostname: string): Promise<string[]> {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare)) return [bare];
  try {
    return (await lookup(bare, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}
