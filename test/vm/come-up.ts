import { setTimeout as sleep } from 'node:timers/promises';
import { type Status, statusSchema } from '../../appliance/server/progress/status.ts';
import type { TrueServer } from './true-server.ts';

/**
 * Waits until the first boot has finished.
 * @throws Error with the status and the end of the journal on failure or timeout
 */
export async function comeUp(server: TrueServer, limitSeconds = 3300): Promise<Status> {
  const end = performance.now() + limitSeconds * 1000;
  for (;;) {
    const status = await statusOf(server);
    if (status?.state === 'done') return status;
    if (status?.state === 'failed' || performance.now() > end) {
      const journal = await server.journal('landfall-boot.service');
      const last = journal.split('\n').slice(-40).join('\n');
      throw new Error(`the server did not come up: ${JSON.stringify(status, null, 2)}\n${last}`);
    }
    await sleep(5000);
  }
}

/** Returns the status of the server as it reports it; undefined before its first report. */
async function statusOf(server: TrueServer): Promise<Status | undefined> {
  const ran = await server.run('cat /run/landfall/status.json').catch(() => undefined);
  return ran?.exitCode === 0 ? statusSchema.parse(JSON.parse(ran.stdout)) : undefined;
}
