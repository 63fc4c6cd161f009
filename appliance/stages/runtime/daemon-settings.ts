import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { isEngineNode, usesSwarm } from '#contract/site/enabled.ts';
import { addressesOf } from '#contract/site/network/dns.ts';
import { mirrorsOf, registryMirrors } from '#contract/site/network/mirrors.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson, schemaProblems } from '#contract/text/json.ts';
import { overlap } from '../../server/host/overlap.ts';
import { registryHost } from '../../server/host/pull/image-name.ts';
import type { OwnSettings } from './own-settings.ts';

export const daemonSettingsFile = 'etc/docker/daemon.json';

/**
 * The settings of dockerd that this project uses; other settings are passed through. The types are
 * strict, because dockerd does not start with an invalid key, and versions before 23 cannot validate
 * a file. No version accepts other keys in `proxies`.
 */
const settingsSchema = z.looseObject({
  'log-driver': z.string().optional(),
  'log-opts': z.record(z.string(), z.string('must be a string, also for numbers')).optional(),
  'live-restore': z.boolean().optional(),
  'no-new-privileges': z.boolean().optional(),
  ip: z.string().optional(),
  'default-address-pools': z
    .array(z.strictObject({ base: z.string(), size: z.int().min(8).max(30) }))
    .optional(),
  'registry-mirrors': z.array(z.url()).optional(),
  'insecure-registries': z.array(z.string()).optional(),
  dns: z.array(z.string()).optional(),
  features: z.record(z.string(), z.boolean()).optional(),
  ip6tables: z.boolean().optional(),
  'firewall-backend': z.string().optional(),
  experimental: z.boolean().optional(),
  proxies: z
    .strictObject({
      'http-proxy': z.string().optional(),
      'https-proxy': z.string().optional(),
      'no-proxy': z.string().optional(),
    })
    .optional(),
});
type DaemonSettings = z.infer<typeof settingsSchema>;

interface DaemonFacts {
  readonly site: Pick<Site, 'mirrors' | 'dns'> & Partial<Pick<Site, 'engines' | 'role'>>;
  /** Destinations of the server's routes, as in `ip route`. */
  readonly routes: readonly string[];
  /** Major version of Docker; undefined if it is not installed. */
  readonly dockerVersion: number | undefined;
  /** Whether Docker has started before. Then its image store must not change. */
  readonly hasStarted?: boolean;
  /** Entries of the file's lists that an earlier run added. */
  readonly earlier?: SiteLists;
}

/** First version of Docker that filters IPv6 by default; before, it is an experimental feature. */
const filtersIpv6 = 27;
/** First version of Docker whose default image store keeps every layer twice. */
const storesTwice = 29;

interface RenderedSettings {
  readonly text: string;
  /** The entries of the lists that we added and may remove. */
  readonly own: SiteLists;
}

/**
 * Renders daemon.json: the existing settings, overridden by ours. An existing address pool is kept,
 * because its routes make it look used. Entries of an earlier site are removed.
 * @param current the current text of the file
 * @throws LandfallError DOCKER_SETTINGS
 */
export function daemonSettings(current: string | undefined, facts: DaemonFacts): RenderedSettings {
  const { routes, dockerVersion, hasStarted, site, earlier } = facts;
  const existing = readSettings(current);
  const { lists, own } = mergeSiteLists(existing, site, earlier);
  const settings: DaemonSettings = {
    ...existing,
    'log-driver': 'json-file',
    'log-opts': { 'max-size': '10m', 'max-file': '3' },
    // Swarm refuses it.
    'live-restore': !usesSwarm(site),
    // A service of Swarm has no such setting of its own.
    ...(isEngineNode(site) ? { 'no-new-privileges': true } : {}),
    // Publishes ports without an address on loopback only.
    ip: '127.0.0.1',
    // UFW drops what the other backend accepts, and Swarm refuses it.
    ...(existing['firewall-backend'] ? { 'firewall-backend': 'iptables' } : {}),
    'default-address-pools': existing['default-address-pools'] ?? [chooseAddressPool(routes)],
    ...lists,
    ...(dockerVersion !== undefined && dockerVersion < filtersIpv6
      ? { ip6tables: true, experimental: true }
      : {}),
    ...(dockerVersion !== undefined && dockerVersion >= storesTwice && !hasStarted
      ? { features: { 'containerd-snapshotter': false, ...existing.features } }
      : {}),
  };
  return { text: `${JSON.stringify(settings, null, 2)}\n`, own };
}

function readSettings(text: string | undefined): DaemonSettings {
  if (text === undefined || text.trim() === '') return {};
  const parsed = settingsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LandfallError('DOCKER_SETTINGS', `/${daemonSettingsFile} is not valid`, {
    hint: { en: 'Fix or remove the file.', zh: '修正或删除这个文件。' },
    problems: schemaProblems(parsed.error.issues),
  });
}

/** A range for container networks: `size` is the prefix length of each network. */
interface AddressPool {
  readonly base: string;
  readonly size: number;
}

/** Private ranges that providers and home networks rarely use, the rarest first (RFC 1918). */
const candidates = [
  '10.213.0.0/16',
  '172.30.0.0/16',
  '10.87.0.0/16',
  '192.168.192.0/18',
  '172.26.0.0/16',
];

/**
 * Returns the first range that overlaps no route of the server. An overlap would make the server
 * unreachable, including SSH.
 * @param routes destinations as in `ip route`: `10.0.0.0/24`, `10.0.0.1`, `default`
 * @throws LandfallError DOCKER_SETTINGS when all overlap
 */
export function chooseAddressPool(routes: readonly string[]): AddressPool {
  const base = candidates.find((candidate) => !routes.some((route) => overlap(candidate, route)));
  if (base !== undefined) return { base, size: 24 };
  throw new LandfallError(
    'DOCKER_SETTINGS',
    'every address range for containers overlaps a route',
    {
      hint: {
        en: 'Set default-address-pools in /etc/docker/daemon.json to a free range.',
        zh: '把 /etc/docker/daemon.json 的 default-address-pools 设为空闲的网段。',
      },
    },
  );
}

/** The lists of daemon.json with entries of both the site and the administrator. */
type SiteLists = Pick<OwnSettings, 'registry-mirrors' | 'insecure-registries' | 'dns'>;

/**
 * Merges the entries of the site before those of the administrator. Entries of an earlier site are
 * removed; those of the administrator are kept, even if the site has them too.
 * @param earlier entries that an earlier run added
 */
function mergeSiteLists(
  current: DaemonSettings,
  site: Pick<Site, 'mirrors' | 'dns'>,
  earlier: SiteLists = { 'registry-mirrors': [], 'insecure-registries': [], dns: [] },
) {
  const merge = (name: keyof SiteLists, wanted: readonly string[]) => {
    const existing = (current[name] ?? []).filter((value) => !earlier[name].includes(value));
    const own = wanted.filter((value) => !existing.includes(value));
    const list = [...own, ...existing];
    return { own, list: list.length === 0 ? undefined : list };
  };
  const mirrors = merge('registry-mirrors', hubMirrors(site));
  const plain = merge('insecure-registries', plainHosts(site));
  // Docker does not encrypt its queries.
  const dns = merge('dns', site.dns ? addressesOf(site.dns) : []);
  return {
    lists: { 'registry-mirrors': mirrors.list, 'insecure-registries': plain.list, dns: dns.list },
    own: { 'registry-mirrors': mirrors.own, 'insecure-registries': plain.own, dns: dns.own },
  };
}

type Mirrors = Pick<Site, 'mirrors'>;

/**
 * Returns the mirrors of Docker Hub for dockerd's `registry-mirrors`. dockerd before version 25 rejects
 * mirrors with a path, and no version accepts a query or a user. Images of such a mirror are pulled by
 * the mirror's name.
 */
function hubMirrors({ mirrors }: Mirrors): string[] {
  return mirrorsOf(mirrors.registries, 'docker.io').filter((mirror) => {
    const { pathname, search, hash, username, password } = new URL(mirror);
    return pathname === '/' && [search, hash, username, password].every((field) => field === '');
  });
}

/**
 * Returns the hosts of plain HTTP mirrors for dockerd's `insecure-registries`. Images are pulled by
 * digest, so they cannot be modified in transit.
 */
function plainHosts({ mirrors }: Mirrors): string[] {
  const urls = registryMirrors(mirrors.registries).map(([, mirror]) => new URL(mirror));
  return [...new Set(urls.filter(({ protocol }) => protocol === 'http:').map(registryHost))];
}
