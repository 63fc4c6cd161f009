import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import { type AddressPool, chooseAddressPool } from './address-pool.ts';
import { mergeSiteLists, type SiteLists } from './site-lists.ts';

export const daemonSettingsFile = 'etc/docker/daemon.json';

/**
 * The settings of dockerd that this project sets, typed as dockerd takes them; the owner's own ones
 * pass through. Engines before 23 cannot check a file themselves, and each refuses to start over
 * one wrong key: `proxies` with anything but these three names stops all of them.
 */
const settingsSchema = z.looseObject({
  'log-driver': z.string().optional(),
  'log-opts': z.record(z.string(), z.string('must be a text, numbers included')).optional(),
  'live-restore': z.boolean().optional(),
  ip: z.string().optional(),
  'default-address-pools': z
    .array(z.strictObject({ base: z.string(), size: z.int().min(8).max(30) }))
    .optional(),
  'registry-mirrors': z.array(z.url()).optional(),
  'insecure-registries': z.array(z.string()).optional(),
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
  readonly site: Pick<Site, 'mirrors'>;
  /** Destinations of the server's routes, as `ip route` names them. */
  readonly routes: readonly string[];
  /** Major version of the engine; nothing while it is not installed. */
  readonly engine: number | undefined;
  /** What of the file's lists an earlier run put there. */
  readonly earlier?: SiteLists;
}

/** From here on dockerd filters IPv6 by itself; before, that is an experiment to be switched on. */
const filtersIpv6 = 27;

/**
 * The text of daemon.json: what the owner had, with our settings over it. A range for containers
 * that was chosen once stays, because their routes would make it look taken. What the site wanted
 * earlier and wants no more goes.
 * @param current the text of the file as it is
 * @throws LandfallError ENGINE_SETTINGS
 */
export function daemonSettings(current: string | undefined, facts: DaemonFacts): string {
  const { routes, engine, site, earlier } = facts;
  const owners = readSettings(current);
  const settings: DaemonSettings = {
    ...owners,
    'log-driver': 'json-file',
    'log-opts': { 'max-size': '10m', 'max-file': '3' },
    'live-restore': true,
    // A port that names no address is for this machine alone.
    ip: '127.0.0.1',
    'default-address-pools': owners['default-address-pools'] ?? [poolFor(routes)],
    ...mergeSiteLists(owners, site, earlier).lists,
    ...(engine !== undefined && engine < filtersIpv6
      ? { ip6tables: true, experimental: true }
      : {}),
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** What of the file's lists is ours once it is as {@link daemonSettings} has it. */
export function ownLists(
  current: string | undefined,
  { site, earlier }: Pick<DaemonFacts, 'site' | 'earlier'>,
): SiteLists {
  return mergeSiteLists(readSettings(current), site, earlier).own;
}

function poolFor(routes: readonly string[]): AddressPool {
  const pool = chooseAddressPool(routes);
  if (pool) return pool;
  throw new LandfallError('ENGINE_SETTINGS', 'every range for containers collides with a route', {
    hint: 'Write a free one into /etc/docker/daemon.json as default-address-pools.',
  });
}

function readSettings(text: string | undefined): DaemonSettings {
  if (text === undefined || text.trim() === '') return {};
  const parsed = settingsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LandfallError('ENGINE_SETTINGS', `/${daemonSettingsFile} is not what dockerd takes`, {
    hint: 'Mend or remove the file.',
    problems: schemaProblems(parsed.error.issues),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
