import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage, type Language, type Text } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';
import type { EngineState } from './states.ts';

/** What the status and the report show of a server with Ollama. */
export type EngineBrief = Pick<EngineState, 'name' | 'state' | 'reason'>;

/** Returns the servers behind HAProxy; none without `engines`, or while HAProxy does not respond. */
export async function engineBriefs(
  host: Host,
  { engines }: Pick<Site, 'engines'>,
): Promise<EngineBrief[]> {
  if (!engines) return [];
  // Loaded on demand: most servers have no other servers.
  const { balancerState } = await import('./socket.ts');
  try {
    const { servers } = await balancerState(host);
    return servers.map(({ name, state, reason }) => ({
      ...{ name, state },
      ...(reason === undefined ? {} : { reason }),
    }));
  } catch (error) {
    if (error instanceof LandfallError) return [];
    throw error;
  }
}

const words: Readonly<Record<EngineState['state'], Text>> = {
  up: { en: 'up', zh: '正常' },
  down: { en: 'down', zh: '不可用' },
  draining: { en: 'draining', zh: '排空中' },
};

/** Formats the state of a server: `gpu1 up`. */
export function describeBrief(
  { name, state }: Pick<EngineBrief, 'name' | 'state'>,
  language?: Language,
): string {
  return `${name} ${stateText(state, language)}`;
}

/** Returns the state of a server for people. */
export function stateText(state: EngineState['state'], language?: Language): string {
  return inLanguage(words[state], language);
}
