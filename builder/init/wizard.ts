import type { Given } from './given.ts';
import { back, type Prompts, type Reply } from './prompts.ts';

/** A question for one answer. */
export interface Question {
  readonly name: keyof Given;
  /** Whether it is asked, given the answers to the questions above it. Default: always. */
  readonly applies?: (given: Given) => boolean;
  /**
   * Asks, and returns the answer. It may also remove other answers with `undefined`, so that their
   * questions are asked again.
   * @param earlier answers before the user went back, as initial values
   */
  ask(prompts: Prompts, given: Given, earlier: Given): Promise<Reply<Replies>>;
}

export type Replies = { readonly [K in keyof Given]?: Given[K] | undefined };

/**
 * Asks the questions that have no answer yet, in order. Esc goes back to the question before.
 * @param given the known answers; it receives the others, so that it is complete at any time
 * @param resumed the names of known answers that the user gave at a prompt before
 */
export async function askAll(
  questions: readonly Question[],
  given: Given,
  prompts: Prompts,
  resumed: ReadonlySet<string>,
): Promise<void> {
  const earlier: Given = { ...given };
  const asked = questions.map(({ name }) => name).filter((name) => resumed.has(name));
  for (;;) {
    const next = questions.find(
      ({ name, applies }) => given[name] === undefined && (applies?.(given) ?? true),
    );
    if (next === undefined) return;
    const reply = await next.ask(prompts, given, earlier);
    if (reply === back) {
      const last = asked.pop();
      if (last !== undefined) delete given[last];
      continue;
    }
    for (const [name, value] of Object.entries(reply) as [keyof Given, never][]) {
      if (value === undefined) delete given[name];
      else given[name] = earlier[name] = value;
    }
    if (given[next.name] !== undefined) asked.push(next.name);
  }
}
