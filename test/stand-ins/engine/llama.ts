import { createRequire } from 'node:module';

/** What is used of the native module of `@fugood/llama.node`. */
interface NativeContext {
  completion(
    options: Record<string, unknown>,
    onToken: (token: { token: string }) => void,
  ): Promise<NativeResult>;
  tokenize(text: string): Promise<{ tokens: Int32Array }>;
  stopCompletion(): void;
  release(): Promise<void>;
}

interface NativeResult {
  readonly text: string;
  readonly tokens_predicted: number;
  readonly tokens_evaluated: number;
  readonly timings: { readonly prompt_ms: number; readonly predicted_ms: number };
}

interface NativeModule {
  readonly LlamaContext: {
    new (options: Record<string, unknown>): NativeContext;
    toggleNativeLog(on: boolean, log: (level: string, text: string) => void): void;
  };
}

export interface Completion {
  readonly text: string;
  readonly promptTokens: number;
  readonly tokens: number;
  /** Nanoseconds. */
  readonly promptTime: number;
  readonly time: number;
}

export interface CompletionOptions {
  readonly prompt: string;
  readonly limit: number;
  readonly temperature: number;
  readonly seed: number;
}

/** llama.cpp with one model in memory. It generates for one caller at a time. */
export class Llama {
  readonly #context: NativeContext;
  #last: Promise<unknown> = Promise.resolve();

  /** @param library the path of `index.node` */
  constructor(library: string, model: string, context: number) {
    const { LlamaContext } = createRequire(import.meta.url)(library) as NativeModule;
    // What llama.cpp has to say would drown the engine's own log.
    LlamaContext.toggleNativeLog(true, () => undefined);
    this.#context = new LlamaContext({
      model,
      n_ctx: context,
      n_parallel: 1,
      n_threads: 1,
      n_gpu_layers: 0,
    });
  }

  /** Generates text, handing over each piece as it comes. */
  complete(options: CompletionOptions, onToken: (text: string) => void): Promise<Completion> {
    const turn = this.#last.then(() => this.#complete(options, onToken));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async tokenize(text: string): Promise<number[]> {
    return [...(await this.#context.tokenize(text)).tokens];
  }

  async release(): Promise<void> {
    await this.#last;
    await this.#context.release();
  }

  async #complete(
    { prompt, limit, temperature, seed }: CompletionOptions,
    onToken: (text: string) => void,
  ): Promise<Completion> {
    const settings = { prompt, n_predict: limit, temperature, seed };
    let told = '';
    let over = false;
    const result = await this.#context.completion(settings, ({ token }) => {
      if (over) return;
      told += token;
      onToken(token);
    });
    // The result may overtake the last tokens on their way out of llama.cpp's thread.
    over = true;
    if (result.text.length > told.length) onToken(result.text.slice(told.length));
    const { tokens_evaluated, tokens_predicted, timings, text } = result;
    return {
      text,
      promptTokens: Math.max(1, tokens_evaluated - tokens_predicted),
      tokens: tokens_predicted,
      promptTime: Math.max(1, Math.round(timings.prompt_ms * 1e6)),
      time: Math.max(1, Math.round(timings.predicted_ms * 1e6)),
    };
  }
}
