import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Trouble } from '../../server/alerts/troubles.ts';
import type { Host } from '../../server/host/host.ts';
import { balancerState } from './socket.ts';

/**
 * Returns the servers with Ollama that get no requests because their checks fail. While HAProxy does not
 * respond, which the stack reports, those that were announced stay.
 * @param known IDs of the troubles that were announced
 */
export async function engineTroubles(
  host: Host,
  { engines, language }: Pick<Site, 'engines' | 'language'>,
  known: ReadonlySet<string>,
): Promise<Trouble[]> {
  if (!engines) return [];
  const down =
    (await serversDown(host)) ?? engines.nodes.filter(({ name }) => known.has(idOf(name)));
  return down.map(({ name, reason }: { name: string; reason?: string }) => ({
    id: idOf(name),
    state: 'failed',
    subject: inLanguage({ en: `the inference server ${name}`, zh: `推理服务器 ${name}` }, language),
    ...(reason === undefined ? {} : { detail: reason }),
    command: 'sudo landfall engines',
  }));
}

const idOf = (name: string) => `engine ${name}`;

async function serversDown(host: Host) {
  try {
    const { servers } = await balancerState(host);
    return servers.filter(({ state }) => state === 'down');
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}
