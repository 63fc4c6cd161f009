import { existsSync } from 'node:fs';
import { type Context, type StageName, stageNames } from './stage.ts';

/** They need no network on a server with sudo. */
const beforeProxies: readonly StageName[] = ['preflight', 'users', 'ssh'];

/**
 * Returns the stages in the order for a server. With a proxy client, the route may wait for days until
 * proxies are imported, so the account of the administrator comes before it. Without sudo, it comes
 * after it: only the archive has sudo, and without it the administrator could not become root.
 */
export function stageOrder({ host, site }: Pick<Context, 'host' | 'site'>): readonly StageName[] {
  const hasSudo = existsSync(host.path('usr/bin/sudo'));
  if (site.route.mode !== 'client' || !hasSudo) return stageNames;
  return [...beforeProxies, ...stageNames.filter((name) => !beforeProxies.includes(name))];
}
