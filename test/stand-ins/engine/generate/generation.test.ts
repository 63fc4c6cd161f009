import { describe, expect, it } from 'vitest';
import { generation, type Step } from './generation.ts';
import type { Completion, CompletionOptions } from './llama.ts';

const end: Completion = { cut: false, promptTokens: 1, tokens: 1, promptTime: 1, time: 1 };
const options = { num_predict: -1, temperature: 0, seed: 1 };

/** A model that outputs these pieces and records its options. */
function llamaSaying(pieces: readonly string[]) {
  const asked: CompletionOptions[] = [];
  const signals: AbortSignal[] = [];
  const complete = async (
    wanted: CompletionOptions,
    onToken: (text: string) => void,
    signal: AbortSignal,
  ) => {
    asked.push(wanted);
    signals.push(signal);
    for (const piece of pieces) {
      await Promise.resolve();
      onToken(piece);
    }
    return end;
  };
  return { llama: { contextLength: 512, complete }, asked, signals };
}

async function collect(steps: AsyncIterable<Step>): Promise<Step[]> {
  const found: Step[] = [];
  for await (const step of steps) found.push(step);
  return found;
}

async function stepsOf(pieces: readonly string[]): Promise<Step[]> {
  return await collect(generation(llamaSaying(pieces).llama, 'Why?', options));
}

describe('a generation', () => {
  it('limits a generation to ten contexts by default', async () => {
    const { llama, asked } = llamaSaying([]);
    await collect(generation(llama, 'Why?', options));
    expect(asked).toEqual([{ prompt: 'Why?', limit: 5120, temperature: 0, seed: 1 }]);
  });

  it('returns its pieces, and the end', async () => {
    expect(await stepsOf(['a', 'b'])).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'b' },
      { kind: 'end', result: end },
    ]);
  });

  it('stops without an end after repetitions of one piece', async () => {
    const steps = await stepsOf(Array<string>(100).fill(' a'));
    expect(steps).toEqual(Array<Step>(31).fill({ kind: 'text', text: ' a' }));
    expect(await stepsOf(Array<string>(31).fill('a'))).toHaveLength(32);
  });

  it('cancels a generation when the client disconnects', async () => {
    const { llama, signals } = llamaSaying(['a', 'b', 'c']);
    for await (const _step of generation(llama, 'Why?', options)) break;
    expect(signals[0]?.aborted).toBe(true);
  });
});
