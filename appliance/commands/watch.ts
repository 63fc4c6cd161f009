import { LandfallError } from '#contract/errors.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import type { Site } from '#contract/site/site.ts';
import { engineTroubles } from '../nodes/balancer/troubles.ts';
import { backupTroubles } from '../operations/backup/troubles.ts';
import { usageTroubles } from '../relay/report/usage-troubles.ts';
import { announceTroubles, type Trouble } from '../server/alerts/troubles.ts';
import type { Host } from '../server/host/host.ts';
import { tryRunLock } from '../server/host/lock/run-lock.ts';
import { describeLowDisk, lowDisks, readDiskSettings } from '../server/host/low-disks.ts';
import { readBackupState } from '../server/records/backups.ts';

/** An announced file system has recovered at this multiple of the limits, so that alerts do not repeat. */
const recovered = 1.25;

/**
 * Sends alerts about backups, disks, relay keys and other servers with Ollama, and keeps a Swarm connected
 * and closed. Timers call it that do not depend on those of the backups.
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
  await announceTroubles(host, site, async (known) => [
    ...(await diskTroubles(host, site, known)),
    ...backupTroubles(
      site,
      await readBackupState(host),
      known,
      (await readDiskSettings(host)).share,
    ),
    ...(await usageTroubles(host, site, known)),
    ...(await engineTroubles(host, site, known)),
  ]);
}

function ignoreFailedCommand(error: unknown): void {
  if (!(error instanceof LandfallError)) throw error;
}

async function diskTroubles(
  host: Host,
  { language }: Pick<Site, 'language'>,
  known: ReadonlySet<string>,
): Promise<Trouble[]> {
  const low = new Set((await lowDisks(host)).map(({ folder }) => folder));
  const stillLow = await lowDisks(host, recovered);
  return stillLow
    .map((disk) => ({ id: `disk ${disk.folder}`, disk }))
    .filter(({ id, disk }) => low.has(disk.folder) || known.has(id))
    .map(({ id, disk }) => ({
      ...{ id, state: 'notice', command: 'sudo landfall doctor' },
      subject: describeLowDisk(disk, language),
    }));
}
