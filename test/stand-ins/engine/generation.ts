import type { Completion, Llama } from './llama.ts';
import { type ModelOptions, tokenLimit } from './model-options.ts';

/** One thing that happened while a model generated. */
export type Step =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'end'; readonly result: Completion };

/** One more piece like those before ends an answer (`llm/llama_server.go`, `Completion`). */
const mostRepeats = 30;

/**
 * Generates, piece by piece as they come, and stops when the client leaves. A model that repeats one
 * piece is stopped too; then the answer has no end, as in the original.
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
        if (repeats.count(text) > mostRepeats) {
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

/** How often a piece came again. Space around it does not count. */
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
