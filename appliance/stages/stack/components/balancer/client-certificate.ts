import { components } from '#contract/components.ts';
import type { Site } from '#contract/site/site.ts';
import {
  ensureClientPair,
  hasClientPair,
  removeClientPair,
} from '../../../../server/certificates/client-pair.ts';
import type { Host } from '../../../../server/host/host.ts';

/**
 * Creates HAProxy's certificate for a site with engines, and removes that of another site. HAProxy reads
 * it when it starts, so its container is removed before there is another one.
 * @param owner UID and GID of the file
 */
export async function applyClientPair(
  host: Host,
  { engines }: Pick<Site, 'engines'>,
  owner: number = components.balancer.user,
): Promise<void> {
  if (!engines) return await removeClientPair(host);
  if (await hasClientPair(host)) return;
  await host.run('docker', ['rm', '--force', 'landfall-balancer'], { accept: [1] });
  await ensureClientPair(host, owner);
}
