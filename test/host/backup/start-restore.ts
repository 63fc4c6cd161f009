import type { PremisesDependencies } from '../boot/first-booted.ts';
import type { Premises } from '../boot/premises.ts';
import { startOnServer } from '../commands/start-on-server.ts';

/** Starts `landfall restore` on a new server that waits for its backup. */
export async function startRestore(
  { dependencies }: PremisesDependencies,
  { host }: Premises,
): Promise<ReturnType<typeof startOnServer>> {
  await host.waitFor(`grep -Eqs '"waitsFor": ?"restore"' /run/landfall/status.json`, 300);
  return startOnServer(dependencies, host, 'restore');
}
