import { createRequire } from 'node:module';

/** What is used of the native module of `@fugood/llama.node`. */
interface NativeContext {
  enableParallelMode(settings: { n_parallel: number; n_batch: number }): boolean;
  queueCompletion(
    options: Record<string, unknown>,
    tell: (error: Error | null, news: NativeToken | NativeResult) => void,
  ): { requestId: number };
  release(): Promise<void>;
}

interface NativeToken {
  readonly token: string;
}

interface NativeResult {
  readonly text: string;
  readonly stopped_limit: boolean;
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
  /** Whether it ended because it was long enough. */
  readonly cut: boolean;
  readonly promptTokens: number;
  readonly tokens: number;
  /** Nanoseconds. */
  readonly promptTime: number;
  readonly time: number;
}

export interface CompletionOptions {
  readonly prompt: string;
  /** Tokens. */
  readonly limit: number;
  readonly temperature: number;
  readonly seed: number;
}

/** llama.cpp with one model in memory. Who comes while it generates waits for its turn. */
export class Llama {
  readonly #context: NativeContext;
  readonly #running = new Set<Promise<unknown>>();

  /** @param library the path of `index.node` */
  constructor(library: string, model: string, context: number) {
    const { LlamaContext } = createRequire(import.meta.url)(library) as NativeModule;
    // What llama.cpp has to say would drown the engine's own log.
    LlamaContext.toggleNativeLog(false, () => undefined);
    this.#context = new LlamaContext({
      model,
      n_ctx: context,
      n_parallel: 1,
      n_threads: 1,
      n_gpu_layers: 0,
    });
    // Its simpler mode loses count of what is under way when a tiny model is done at once.
    this.#context.enableParallelMode({ n_parallel: 1, n_batch: context });
  }

  /** Generates text, handing over each piece as it comes. */
  complete(options: CompletionOptions, onToken: (text: string) => void): Promise<Completion> {
    const running = this.#complete(options, onToken);
    this.#running.add(running);
    running.catch(() => undefined).finally(() => this.#running.delete(running));
    return running;
  }

  /** Frees the memory once everybody has been answered. */
  async release(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.#context.release();
  }

  #complete(
    { prompt, limit, temperature, seed }: CompletionOptions,
    onToken: (text: string) => void,
  ): Promise<Completion> {
    const settings = { prompt, n_predict: limit, temperature, seed };
    return new Promise((resolve, reject) => {
      this.#context.queueCompletion(settings, (error, news) => {
        if (error) reject(error);
        else if ('token' in news) onToken(news.token);
        else resolve(completionOf(news));
      });
    });
  }
}

function completionOf(result: NativeResult): Completion {
  const { text, tokens_evaluated, tokens_predicted, timings } = result;
  return {
    text,
    cut: result.stopped_limit,
    promptTokens: Math.max(1, tokens_evaluated),
    tokens: tokens_predicted,
    promptTime: Math.max(1, Math.round(timings.prompt_ms * 1e6)),
    time: Math.max(1, Math.round(timings.predicted_ms * 1e6)),
  };
}
