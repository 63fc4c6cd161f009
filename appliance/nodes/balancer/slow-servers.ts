import type { Engines } from '#contract/site/engines/engines.ts';
import type { EngineState } from './states.ts';

/** A server whose answers take much longer than those of similar ones. Seconds. */
interface SlowServer {
  readonly name: string;
  readonly seconds: number;
  /** Of the others. */
  readonly median: number;
}

/** How many times longer its answers must take. Prompts and answers differ in length. */
const factor = 3;
/** Answers of each server. Fewer say nothing. */
const minAnswers = 20;

/**
 * Returns the servers whose mean answer takes at least three times as long as the median of the others
 * in their group with the same weight: administrators give slower machines a lower one.
 */
export function slowServers(
  servers: readonly EngineState[],
  { nodes }: Pick<Engines, 'nodes'>,
): SlowServer[] {
  const weightOf = (name: string) => nodes.find((node) => node.name === name)?.weight ?? 1;
  const timed = servers.flatMap(({ name, backend, chats, answerTime }) =>
    answerTime !== undefined && chats >= minAnswers
      ? [{ name, time: answerTime, group: `${backend} ${weightOf(name)}` }]
      : [],
  );
  return timed.flatMap(({ name, time, group }) => {
    const others = timed.filter((other) => other.group === group && other.name !== name);
    const middle = medianOf(others.map((other) => other.time));
    if (middle === undefined || time < factor * middle) return [];
    return [{ name, seconds: time / 1000, median: middle / 1000 }];
  });
}

/** Returns the upper one of two medians, so that one fast server makes no other one slow. */
function medianOf(times: readonly number[]): number | undefined {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
}
