import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import { type AddressPool, chooseAddressPool } from './address-pool.ts';
import { mergeSiteLists, type SiteLists } from './site-lists.ts';

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
  ip: z.string().optional(),
  'default-address-pools': z
    .array(z.strictObject({ base: z.string(), size: z.int().min(8).max(30) }))
    .optional(),
  'registry-mirrors': z.array(z.url()).optional(),
  'insecure-registries': z.array(z.string()).optional(),
  dns: z.array(z.string()).optional(),
  features: z.record(z.string(), z.boolean()).optional(),
  ip6tables: z.boolean().optional(),
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
  readonly site: Pick<Site, 'mirrors' | 'dns'>;
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

/**
 * Renders daemon.json: the existing settings, overridden by ours. An existing address pool is kept,
 * because its routes make it look used. Entries of an earlier site are removed.
 * @param current the current text of the file
 * @throws LandfallError DOCKER_SETTINGS
 */
export function daemonSettings(current: string | undefined, facts: DaemonFacts): string {
  const { routes, dockerVersion, hasStarted, site, earlier } = facts;
  const existing = readSettings(current);
  const settings: DaemonSettings = {
    ...existing,
    'log-driver': 'json-file',
    'log-opts': { 'max-size': '10m', 'max-file': '3' },
    'live-restore': true,
    // Publishes ports without an address on loopback only.
    ip: '127.0.0.1',
    'default-address-pools': existing['default-address-pools'] ?? [poolFor(routes)],
    ...mergeSiteLists(existing, site, earlier).lists,
    ...(dockerVersion !== undefined && dockerVersion < filtersIpv6
      ? { ip6tables: true, experimental: true }
      : {}),
    ...(dockerVersion !== undefined && dockerVersion >= storesTwice && !hasStarted
      ? { features: { 'containerd-snapshotter': false, ...existing.features } }
      : {}),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** Returns the entries of the file's lists that {@link daemonSettings} adds. */
export function ownLists(
  current: string | undefined,
  { site, earlier }: Pick<DaemonFacts, 'site' | 'earlier'>,
): SiteLists {
  return mergeSiteLists(readSettings(current), site, earlier).own;
}

function poolFor(routes: readonly string[]): AddressPool {
  const pool = chooseAddressPool(routes);
  if (pool) return pool;
  throw new LandfallError(
    'DOCKER_SETTINGS',
    'every address range for containers overlaps a route',
    {
      hint: 'Set default-address-pools in /etc/docker/daemon.json to a free range.',
    },
  );
}

function readSettings(text: string | undefined): DaemonSettings {
  if (text === undefined || text.trim() === '') return {};
  const parsed = settingsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LandfallError('DOCKER_SETTINGS', `/${daemonSettingsFile} is not valid`, {
    hint: 'Fix or remove the file.',
    problems: schemaProblems(parsed.error.issues),
  });
}
