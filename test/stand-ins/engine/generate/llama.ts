import { createRequire } from 'node:module';

/** The used part of the native module of `@fugood/llama.node`. */
interface NativeContext {
  enableParallelMode(settings: { n_parallel: number; n_batch: number }): boolean;
  queueCompletion(
    options: Record<string, unknown>,
    tell: (error: Error | null, news: NativeToken | NativeResult) => void,
  ): { requestId: number };
  cancelRequest(requestId: number): void;
  release(): Promise<void>;
}

interface NativeToken {
  readonly token: string;
}

interface NativeResult {
  readonly text: string;
  readonly stopped_limit: boolean;
  readonly context_full: boolean;
  readonly timings: {
    readonly prompt_n: number;
    readonly prompt_ms: number;
    readonly predicted_n: number;
    readonly predicted_ms: number;
  };
}

interface NativeModule {
  readonly LlamaContext: {
    new (options: Record<string, unknown>): NativeContext;
    toggleNativeLog(on: boolean, log: (level: string, text: string) => void): void;
  };
}

export interface Completion {
  /** Whether the token limit ended it. */
  readonly cut: boolean;
  readonly promptTokens: number;
  readonly tokens: number;
  /** Nanoseconds. */
  readonly promptTime: number;
  readonly time: number;
}

export interface CompletionOptions {
  readonly prompt: string;
  /** Tokens; negative: until the context is full. */
  readonly limit: number;
  readonly temperature: number;
  readonly seed: number;
}

/** llama.cpp with one model in memory. It processes requests sequentially. */
export class Llama {
  /** Tokens. */
  readonly contextLength: number;
  readonly #context: NativeContext;
  #last: Promise<unknown> = Promise.resolve();

  /** @param library the path of `index.node` */
  constructor(library: string, model: string, contextLength: number) {
    const { LlamaContext } = createRequire(import.meta.url)(library) as NativeModule;
    // llama.cpp's log would hide the engine's own.
    LlamaContext.toggleNativeLog(false, () => undefined);
    this.contextLength = contextLength;
    this.#context = new LlamaContext({
      model,
      n_ctx: contextLength,
      n_parallel: 1,
      n_threads: 1,
      n_gpu_layers: 0,
    });
    // Its non-parallel mode miscounts active requests when a tiny model finishes at once.
    this.#context.enableParallelMode({ n_parallel: 1, n_batch: contextLength });
  }

  /**
   * Generates text, and passes on each piece immediately. When the context is full before the
   * limit, it continues with the newest part of the text, as llama-server does with
   * `--context-shift`.
   * @param signal ends the generation early
   */
  complete(
    options: CompletionOptions,
    onToken: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Completion> {
    const running = this.#last.then(() => this.#complete(options, onToken, signal));
    this.#last = running.catch(() => undefined);
    return running;
  }

  /** Frees the memory after all pending requests. */
  async release(): Promise<void> {
    await this.#last;
    await this.#context.release();
  }

  async #complete(
    options: CompletionOptions,
    onToken: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Completion> {
    let sum = { cut: true, promptTokens: 0, tokens: 0, promptTime: 0, time: 0 };
    let prompt = fitting(options.prompt, this.contextLength);
    while (!signal.aborted && (options.limit < 0 || sum.tokens < options.limit)) {
      const left = options.limit < 0 ? -1 : options.limit - sum.tokens;
      const result = await this.#segment({ ...options, prompt, limit: left }, onToken, signal);
      if (!result) break;
      sum = added(sum, result);
      if (!result.context_full || options.limit < 0 || result.timings.predicted_n === 0) break;
      prompt = result.text.slice(-this.contextLength / 4) || prompt;
    }
    return sum;
  }

  /** Generates until the context is full at most; returns undefined if it was aborted. */
  #segment(
    { prompt, limit, temperature, seed }: CompletionOptions,
    onToken: (text: string) => void,
    signal: AbortSignal,
  ): Promise<NativeResult | undefined> {
    const settings = { prompt, n_predict: limit, temperature, seed };
    return new Promise((resolve, reject) => {
      const { requestId } = this.#context.queueCompletion(settings, (error, news) => {
        if (error) reject(error);
        else if ('token' in news) onToken(news.token);
        else resolve(news);
      });
      // The native module never calls back after a cancellation.
      const cancel = () => {
        this.#context.cancelRequest(requestId);
        resolve(undefined);
      };
      signal.addEventListener('abort', cancel, { once: true });
    });
  }
}

/** Drops the oldest part of a prompt that exceeds the context. A token has at least one byte. */
function fitting(prompt: string, contextLength: number): string {
  return Buffer.byteLength(prompt) < contextLength ? prompt : prompt.slice(-contextLength / 4);
}

function added(
  sum: Completion,
  { stopped_limit, context_full, timings }: NativeResult,
): Completion {
  return {
    cut: stopped_limit || context_full,
    promptTokens: sum.promptTokens || Math.max(1, timings.prompt_n),
    tokens: sum.tokens + timings.predicted_n,
    promptTime: sum.promptTime || Math.max(1, Math.round(timings.prompt_ms * 1e6)),
    time: sum.time + Math.max(1, Math.round(timings.predicted_ms * 1e6)),
  };
}
