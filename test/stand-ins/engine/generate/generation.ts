import { type ModelOptions, tokenLimit } from '../models/model-options.ts';
import type { Completion, Llama } from './llama.ts';

/** One event of a generation. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end'; readonly result: Completion };

/** Number of repeated pieces that end a response (`llm/llama_server.go`, `Completion`). */
const maxRepeats = 30;

/**
 * Generates piece by piece, and stops when the client disconnects. A model that repeats one piece
 * is stopped too; then the response has no end, as in the original.
 */
export function generation(
  llama: Pick<Llama, 'complete' | 'contextLength'>,
  prompt: string,
  { num_predict, temperature, seed }: ModelOptions,
): AsyncIterable<Step> {
  const limit = tokenLimit(num_predict, llama.contextLength);
  const stop = new AbortController();
  return new ReadableStream<Step>({
    cancel: () => stop.abort(),
    async start(controller) {
      const repeats = new Repeats();
      const onToken = (text: string) => {
        if (stop.signal.aborted) return;
        if (repeats.count(text) > maxRepeats) {
          stop.abort();
          controller.close();
        } else controller.enqueue({ kind: 'text', text });
      };
      const result = await llama.complete(
        { prompt, limit, temperature, seed },
        onToken,
        stop.signal,
      );
      if (stop.signal.aborted) return;
      controller.enqueue({ kind: 'end', result });
      controller.close();
    },
  });
}

/** Counts repetitions of a piece, ignoring whitespace around it. */
class Repeats {
  #last = '';
  #count = 0;

  count(text: string): number {
    const piece = text.trim();
    this.#count = piece === this.#last ? this.#count + 1 : 0;
    this.#last = piece;
    return this.#count;
  }
}
