import { BlockList, isIP } from 'node:net';
import { defaultResolver } from '#cli/probe-options.ts';
import type { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { releaseFolders } from '#contract/site/urls.ts';
import { messageOf } from '#contract/text/chinese-errors.ts';
import { inBoth, type Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { safeUrl } from '#http/safe-url.ts';
import { systemNetwork } from '#probe/exchange/network.ts';
import { probeProvider } from '#probe/probe-provider.ts';
import { readText } from '../../../server/host/files.ts';
import type { Host } from '../../../server/host/host.ts';
import { namesToResolve } from '../../../stages/preflight/names.ts';
import { reach } from '../../../stages/route/reach.ts';
import type { FindingCode } from '../codes.ts';
import { type Finding, siteCheck } from '../finding.ts';

/** Seconds. */
const timeout = 10;

/** Milliseconds; shorter than those of the probe, because a check must end in time. */
const limits = { connect: 3000, answer: 3000 };

/**
 * Reports names of other hosts that do not resolve, or resolve to a wrong address. The addresses of
 * providers are compared with an encrypted answer if their certificate does not confirm them.
 */
export const namesCheck = namesCheckWith({ resolver: new URL(defaultResolver), systemNetwork });

/** Returns the check with a resolver and a network of a test. */
export function namesCheckWith(settings: NetworkSettings) {
  return siteCheck({ name: 'names', root: false }, async ({ host, site }) => {
    const fixed = fixedNames((await readText(host, 'etc/hosts')) ?? '');
    const providers = directProviders(site);
    const found = await Promise.all(
      foreignNames(site, providers).map(async (name) => {
        const addresses = await resolve(host, name);
        if (addresses === undefined) {
          const text = { en: `the name ${name} does not resolve`, zh: `无法解析域名 ${name}` };
          return finding('NAME_UNRESOLVED', name, text);
        }
        const source = fixed.has(name)
          ? { en: ', as /etc/hosts says', zh: '（来自 /etc/hosts）' }
          : inBoth('');
        const url = providers.get(name);
        // Only a certificate can confirm an address.
        if (url?.protocol === 'https:') {
          const compare = () => compared(url, addresses, { ...settings, site });
          const { state, trusted } = await host.outside.measure(compare);
          if (state === 'clean') return [];
          if (state === 'polluted') {
            const list = trusted?.join(', ');
            const text = {
              en: `the name ${name} resolves to ${addresses.join(', ')}${source.en}, but to ${list || 'no address'} with encrypted DNS`,
              zh: `域名 ${name} 解析为 ${addresses.join(', ')}${source.zh}，而加密 DNS 的结果是 ${list || '没有地址'}`,
            };
            return finding('NAME_POLLUTED', name, text);
          }
        }
        const wrong = addresses.filter((address) => isUnusable(address));
        if (wrong.length === 0) return [];
        const text = {
          en: `the name ${name} resolves to ${wrong.join(', ')}${source.en}, which is no host of the internet`,
          zh: `域名 ${name} 解析为 ${wrong.join(', ')}${source.zh}，这不是公网上的主机`,
        };
        return finding('NAME_POLLUTED', name, text);
      }),
    );
    return found.flat();
  });
}

interface NetworkSettings {
  /** A resolver with DNS over HTTPS. */
  readonly resolver: URL;
  readonly systemNetwork: typeof systemNetwork;
}

/** Returns the providers that this server resolves, by host name. With a proxy it resolves none. */
function directProviders(site: Site): ReadonlyMap<string, URL> {
  if (site.route.mode !== 'direct') return new Map();
  const urls = Object.values(site.providers).map(({ base_url }) => new URL(base_url));
  return new Map(urls.map((url) => [url.hostname, url]));
}

/** Returns the names that this server resolves: sources, mirrors and, on a direct route, providers. */
function foreignNames(site: Site, providers: ReadonlyMap<string, URL>): string[] {
  const names = [...namesToResolve(site), ...providers.keys()];
  return [...new Set(names)].filter((name) => isIP(name.replace(/^\[|\]$/g, '')) === 0);
}

/** Returns the addresses of a name as programs of this server get them; undefined for none. */
async function resolve(host: Host, name: string): Promise<string[] | undefined> {
  const { code, stdout } = await host.run('getent', ['ahosts', name], {
    accept: [2],
    seconds: timeout,
  });
  if (code !== 0) return undefined;
  const lines = stdout.trimEnd().split('\n');
  return [...new Set(lines.map((line) => plainLine(line.split(/\s+/)[0] ?? '')))];
}

/** Compares the addresses of a provider with the encrypted answer, as `landfall probe` does. */
async function compared(
  url: URL,
  addresses: readonly string[],
  { resolver, systemNetwork: network, site }: NetworkSettings & { readonly site: Site },
) {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const { dns } = await probeProvider(
    { name: url.hostname, url },
    {
      network: { ...network(site.ca), limits, lookup: async () => found },
      resolver,
      proxyFor: () => undefined,
    },
  );
  return dns;
}

function finding(code: Finding['code'], subject: string, text: Text): Finding[] {
  return [{ code, subject, text }];
}

/** Returns the addresses of the names in hosts(5). */
function fixedNames(text: string): Map<string, string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  return new Map(lines.flatMap(([address = '', ...names]) => names.map((name) => [name, address])));
}

/**
 * Ranges without hosts of other organisations (IANA special-purpose registries). Private ranges are
 * not among them, because a mirror or a relay may be in one. Filters answer with such addresses.
 */
const unusable = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  unusable.addSubnet(address, prefix, 'ipv4');
}
for (const [address, prefix] of [
  ['::', 127],
  ['100::', 64],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  unusable.addSubnet(address, prefix, 'ipv6');
}

/** Returns whether no other server can have an address: loopback, link-local, multicast, reserved. */
export function isUnusable(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && unusable.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Milliseconds. */
const limit = 15_000;

/**
 * Sends a request to each provider and to the sources of the release, over the route of the site. A
 * failure is one of the proxy, of TLS, or of the provider.
 */
export const networkCheck = siteCheck({ name: 'network', root: false }, async ({ host, site }) => {
  const providers = Object.values(site.providers).map(({ base_url }) => base_url);
  // Without a provider, the proxy itself still must work.
  const onlyProxy = providers.length === 0 && site.route.mode !== 'direct';
  const urls = onlyProxy ? releaseFolders(site) : providers;
  const reached = await host.outside.measure(() => reach(site, urls, limit));
  const findings = reached.flatMap(({ url, failure }) => (failure ? [describe(url, failure)] : []));
  // A server that is set up does not need the host of its release.
  return findings.filter(({ code }) => !onlyProxy || code !== 'PROVIDER_UNREACHABLE');
});

function describe(url: URL, error: LandfallError): Finding {
  const code = codes[error.code] ?? 'PROVIDER_UNREACHABLE';
  return { code, subject: safeUrl(url), text: messageOf(error) };
}

const codes: Readonly<Partial<Record<LandfallError['code'], FindingCode>>> = {
  NETWORK_PROXY: 'PROXY_FAILS',
  NETWORK_TLS: 'TLS_UNTRUSTED',
};
