import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { firewallSettingsFile } from '#contract/server-paths.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { clientEndpoints, effectiveRoute } from '#contract/site/network/effective-route.ts';
import { openingsOfSite, parsedOpenings } from '#contract/site/network/openings.ts';
import { openPublicPorts } from '#contract/site/network/public-ports.ts';
import {
  formatOpening,
  formatPorts,
  type Opening,
  openingText,
  parseOpening,
} from '#contract/site/opening.ts';
import { isKeyless } from '#contract/site/providers/provider-api.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson, schemaProblems } from '#contract/text/json.ts';
import { storedMembership } from '../../nodes/swarm/membership.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { isPrivate } from '../../server/host/private-ranges.ts';
import { sshPorts } from '../../server/host/sshd/ssh-listeners.ts';
import { balancerLink, containerLinks, type Destination, relayLink } from './public.ts';
import { withoutIpv6 } from './sources.ts';
import type { FirewallFacts } from './table.ts';

/**
 * Collects what the firewall depends on: the site, the administrator's settings and sshd.
 * @param settings the administrator's settings; read from the server if undefined
 * @throws LandfallError FIREWALL_INVALID
 */
export async function firewallFacts(
  host: Host,
  site: Site,
  settings?: FirewallSettings,
): Promise<FirewallFacts> {
  const [ssh, destinations, current] = await Promise.all([
    sshPorts(host),
    privateDestinations(host, site),
    settings ?? readSettings(host),
  ]);
  return {
    ssh,
    destinations,
    web: openPublicPorts(site),
    openings: await withoutIpv6(host, openingsOf(site, current)),
    unlimited: site.firewall.unlimited,
    client: site.route.mode === 'client' ? clientEndpoints.container : undefined,
    socks: site.socks,
    swarm: await swarmPart(host, site),
    tunnel: site.access?.network,
  };
}

/** Returns what this server is in a Swarm. A node is none before it has joined. */
async function swarmPart(host: Host, site: Site): Promise<FirewallFacts['swarm']> {
  if (site.engines?.swarm) return 'first';
  return isEngineNode(site) && (await storedMembership.read(host)) ? 'node' : undefined;
}

const settingsSchema = z.strictObject({
  /** Open ports besides those of SSH, of the gateway and of the site. */
  allow: z.array(openingText).max(256).default([]),
  /** Ports of the site or of the gateway to close. SSH cannot be closed. */
  deny: z.array(openingText).max(256).default([]),
});

/** Ports that the administrator opened and closed. */
export type FirewallSettings = z.infer<typeof settingsSchema>;

/**
 * Reads the administrator's settings; empty if the file is missing.
 * @throws LandfallError FIREWALL_INVALID with all problems
 */
export async function readSettings(host: Host): Promise<FirewallSettings> {
  const text = (await readText(host, firewallSettingsFile)) ?? '{}';
  const parsed = settingsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LandfallError('FIREWALL_INVALID', `/${firewallSettingsFile} is not valid`, {
    hint: {
      en: 'Fix the file, or remove it to restore the default ports. The firewall was not changed.',
      zh: '修正这个文件，或删除它以恢复默认端口。防火墙没有更改。',
    },
    problems: schemaProblems(parsed.error.issues),
  });
}

/** Renders the settings file. */
export function formatSettings(settings: FirewallSettings): string {
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/**
 * Returns the openings besides SSH: those of the gateway, of the site and of the administrator, without
 * the denied ports. Sorted by port, without duplicates.
 */
export function openingsOf(site: Site, { allow, deny }: FirewallSettings): Opening[] {
  const closed = new Set(deny.map(normalise));
  const all = [...openingsOfSite(site), ...allow.flatMap(parsedOpenings)];
  const byText = new Map(all.map((opening) => [formatOpening(opening), opening]));
  return [...byText.values()].filter((opening) => !closed.has(formatPorts(opening))).sort(byPort);
}

/** Returns the canonical text of an opening, for comparisons. */
export function normalise(text: string): string {
  const opening = parseOpening(text);
  return opening ? formatOpening(opening) : text;
}

/** Returns the opening of a port of SSH. */
export function sshOpening(port: number): Opening {
  return { first: port, last: port, protocol: 'tcp' };
}

function byPort(one: Opening, other: Opening): number {
  return (
    one.first - other.first ||
    one.last - other.last ||
    one.protocol.localeCompare(other.protocol, 'en') ||
    (one.from ?? '').localeCompare(other.from ?? '', 'en')
  );
}

const portsOfSchemes: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
  'socks5h:': 1080,
};

/**
 * Returns the endpoints in private ranges that containers may reach: the proxies, the providers, the
 * certificate authority and the nodes of the site. Names are resolved now; unresolved names are skipped.
 */
export async function privateDestinations(host: Host, site: Site): Promise<Destination[]> {
  const resolved = await Promise.all(
    urlsOf(site).map(async ({ url, ...component }) => {
      const addresses = await host.outside.measure(() => addressesOf(url.hostname));
      const port = Number(url.port) || (portsOfSchemes[url.protocol] ?? 0);
      return addresses.filter(isPrivate).map((address) => ({ address, port, ...component }));
    }),
  );
  // Not private for `isPrivate`; it is an address of this server, which no other rule opens.
  const client = site.route.mode === 'client' ? [clientEndpoints.container] : [];
  const all: Destination[] = [...resolved.flat(), ...client];
  const byText = new Map(
    all
      .filter(({ port }) => port > 0)
      .map((endpoint) => [
        [endpoint.address, endpoint.port, endpoint.link ?? []].flat().join(' '),
        endpoint,
      ]),
  );
  return [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []);
}

/** Returns the URLs of a site. A machine of the administrator is for one component only. */
function urlsOf(site: Site): Array<{ readonly url: URL; readonly link?: string }> {
  const route = effectiveRoute(site, 'container');
  const { providers, hub, tls, variables, engines } = site;
  const own = Object.values(providers).filter((settings) => isKeyless(settings));
  const hosted = Object.values(providers).filter((settings) => !isKeyless(settings));
  const texts = [
    route.mode === 'direct' ? undefined : route.url,
    ...hosted.map(({ base_url }) => base_url),
    hub?.base_url,
    tls.server?.url,
    variables.HTTP_PROXY,
    variables.HTTPS_PROXY,
    variables.PROVIDER_BASE_URL,
    variables.PROVIDER_PROXY_URL,
    variables.SECOND_PROVIDER_BASE_URL,
  ];
  return [
    ...texts.flatMap((text) => (text && URL.canParse(text) ? [{ url: new URL(text) }] : [])),
    ...own.map(({ base_url }) => ({ url: new URL(base_url), link: relayLink })),
    ...(engines?.nodes ?? []).map(({ url }) => ({ url: new URL(url), link: balancerLink })),
  ];
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

/**
 * Rejects a server whose uplink has an interface name that the table reserves for containers: SSH
 * would be closed there, and the test from outside uses another interface.
 * @throws LandfallError FIREWALL_INVALID
 */
export async function refuseContainerUplinks(host: Host): Promise<void> {
  const odd = (await uplinks(host)).filter(isContainerLink);
  if (odd.length === 0) return;
  const message = `the uplink of this server is ${odd.join(', ')}, a name reserved for container networks`;
  throw new LandfallError('FIREWALL_INVALID', message, {
    hint: {
      en: 'Rename the interface, such as to lan0 or br0 (systemd.link(5), netplan), then run: sudo landfall first-boot',
      zh: '给网卡改名，例如 lan0 或 br0（systemd.link(5)、netplan），再运行：sudo landfall first-boot',
    },
  });
}

/** Returns the interfaces of the default routes for IPv4 and IPv6. */
async function uplinks(host: Host): Promise<string[]> {
  const [v4, v6] = await Promise.all([
    readText(host, 'proc/net/route'),
    readText(host, 'proc/net/ipv6_route'),
  ]);
  const names = [
    ...fieldsOf(v4)
      .filter(([, to, , , , , , mask]) => to === '00000000' && mask === '00000000')
      .map(([name = '']) => name),
    ...fieldsOf(v6)
      .filter(([to = '', bits]) => /^0+$/.test(to) && bits === '00')
      .map((fields) => fields.at(-1) ?? ''),
  ];
  return [...new Set(names)].sort();
}

function fieldsOf(text: string | undefined): string[][] {
  return (text ?? '').split('\n').map((line) => line.trim().split(/\s+/));
}

/** Matches the patterns of the table, which are quoted and end with a star. */
function isContainerLink(name: string): boolean {
  return containerLinks.some((pattern) => name.startsWith(pattern.replace(/["*]/g, '')));
}
