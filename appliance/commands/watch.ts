import { LandfallError } from '#contract/errors.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import type { Site } from '#contract/site/site.ts';
import { engineConditions } from '../nodes/balancer/conditions.ts';
import { backupConditions } from '../operations/backup/conditions.ts';
import { usageConditions } from '../relay/report/usage-conditions.ts';
import { accessConditions } from '../server/access/conditions.ts';
import { announceConditions } from '../server/alerts/announce.ts';
import { diskConditions } from '../server/conditions/disk.ts';
import type { Host } from '../server/host/host.ts';
import { tryRunLock } from '../server/host/lock/run-lock.ts';
import { certificateConditions } from '../stages/tls/conditions.ts';

/** What alerts are sent about, besides updates and the route, whose own checks announce them. */
const topics = [
  ...[diskConditions, backupConditions, certificateConditions],
  ...[usageConditions, engineConditions, accessConditions],
];

/**
 * Sends alerts about backups, disks, the certificate, relay keys, the tunnel and other servers with Ollama, and
 * keeps a Swarm connected and closed. Timers call it that do not depend on those of the backups.
 */
export async function watchServer(host: Host, site: Site): Promise<void> {
  if (isEngineNode(site)) {
    // The code is loaded on demand: most servers are no nodes.
    const { findFirstAgain } = await import('../nodes/swarm/membership.ts');
    await findFirstAgain(host);
  }
  const { swarm } = site.engines ?? {};
  if (swarm) {
    const { forgetExpired } = await import('../nodes/swarm/first-server.ts');
    // Docker may be down, which the alerts announce. The next call does it after another command.
    const lock = await tryRunLock(host, 'changes');
    if (lock) await forgetExpired(host, swarm).catch(ignoreFailedCommand);
    await lock?.release();
  }
  await announceConditions(host, site, async (known) =>
    (await Promise.all(topics.map((gather) => gather(host, site, known)))).flat(),
  );
}

function ignoreFailedCommand(error: unknown): void {
  if (!(error instanceof LandfallError)) throw error;
}
