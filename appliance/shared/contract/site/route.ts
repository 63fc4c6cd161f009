import { z } from 'zod';
import { exemptHosts, proxyUrl, socksUrl } from './urls.ts';

const modeMeaning =
  'Without a proxy, through an HTTP or SOCKS5 proxy, or through a proxy client on the server.';
const proxyMeaning = 'The URL of the proxy. Absent for direct and client.';
const exemptMeaning = 'Hosts, domains and networks that are reached without the proxy.';

/** How the server connects to the internet. */
export const route = z
  .discriminatedUnion('mode', [
    z.strictObject({ mode: z.literal('direct').describe(modeMeaning) }),
    z.strictObject({
      mode: z.literal('http-proxy').describe(modeMeaning),
      url: proxyUrl.describe(proxyMeaning),
      no_proxy: exemptHosts.default([]).describe(exemptMeaning),
    }),
    z.strictObject({
      mode: z.literal('socks5').describe(modeMeaning),
      url: socksUrl.describe(proxyMeaning),
      no_proxy: exemptHosts.default([]).describe(exemptMeaning),
    }),
    z.strictObject({
      mode: z.literal('client').describe(modeMeaning),
      capture: z
        .enum(['none', 'host'])
        .default('none')
        .describe(
          'Which connections enter the proxy client: those of its HTTP proxy only, or also all others of the server and its containers.',
        ),
      on_failure: z
        .enum(['closed', 'direct'])
        .default('closed')
        .describe('What happens when no imported proxy works: no connections, or direct ones.'),
      no_proxy: exemptHosts.default([]).describe(exemptMeaning),
    }),
  ])
  .default({ mode: 'direct' })
  .describe('How the server connects to the internet.');

/** Default ports of proxies, by scheme as URL has it. */
const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
  'socks5h:': 1080,
};

/**
 * Returns host and port of a proxy, with the default port written out: programs disagree about it,
 * and URL drops it.
 */
export function hostAndPort({ host, port, protocol }: URL): string {
  return port === '' ? `${host}:${defaultPorts[protocol]}` : host;
}

/** Returns the URL of a proxy with its port, and with its login verbatim. */
export function withPort(text: string): string {
  const url = new URL(text);
  const login = /^[^/]+\/\/([^/?#]*@)/.exec(text)?.[1] ?? '';
  return `${url.protocol}//${login}${hostAndPort(url)}`;
}
