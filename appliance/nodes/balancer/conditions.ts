import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { bilingual } from '#contract/text/translated.ts';
import { type Condition, failed, idOf, noneKnown } from '../../server/conditions/condition.ts';
import type { Host } from '../../server/host/host.ts';
import { balancerState } from './socket.ts';
import type { EngineState } from './states.ts';

/**
 * Returns the servers with Ollama that get no requests because their checks fail. While HAProxy does not
 * respond, which the stack reports, those that were announced stay.
 */
export async function engineConditions(
  host: Host,
  { engines }: Pick<Site, 'engines'>,
  known = noneKnown,
): Promise<Condition[]> {
  if (!engines) return [];
  try {
    return downEngines((await balancerState(host)).servers);
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    return engines.nodes.map(downEngine).filter((each) => known.has(idOf(each)));
  }
}

/** Returns a condition for each server that is down. */
export function downEngines(servers: readonly EngineState[]): Condition[] {
  return servers.filter(({ state }) => state === 'down').map(downEngine);
}

function downEngine({ name, reason }: { name: string; reason?: string }): Condition {
  return failed(
    { en: `the inference server ${name}`, zh: `推理服务器 ${name}` },
    reason === undefined ? undefined : bilingual(plainLine(reason)),
    { topic: 'engine', subject: name, severity: 'attention', command: 'sudo landfall engines' },
  );
}
