import { setTimeout as sleep } from 'node:timers/promises';
import type { Status } from '../../appliance/server/progress/status.ts';
import type { StageName } from '../../appliance/server/stage/stage.ts';
import type { TrueServer } from './true-server.ts';

/**
 * Starts a server and cuts its power during a stage of its first boot. Prints the actual stage: a
 * short stage may end before the console shows it.
 * @param reference result of a first boot without a power cut, with the duration of its stages
 */
export async function cutDuring(
  server: TrueServer,
  stage: StageName,
  reference: Status,
): Promise<void> {
  const { stages } = reference;
  const index = stages.findIndex(({ name }) => name === stage);
  const from = await server.console.end();
  await server.powerOn();
  const line = new RegExp(`\\[ *0?${index + 1}/${stages.length}\\]`);
  await server.console.waitFor(line, { from, limit: 3300 });
  // Not in the middle: a repeated stage has less to do.
  await sleep((stages[index]?.took ?? 0) / 3);
  const lost = await server.powerCut();
  const seen = (await server.console.text()).slice(from);
  const [, last] = [...seen.matchAll(/\[ *(\d+)\/\d+\]/g)].at(-1) ?? [];
  console.log(`power cut during ${stage}, at ${stages[Number(last) - 1]?.name}:`, lost);
}
