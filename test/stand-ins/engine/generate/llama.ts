import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';

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

interface LlamaSettings {
  /** Tokens. */
  readonly contextLength: number;
  /** Requests at the same time, each with its own context. */
  readonly slots: number;
  /** Milliseconds to wait after each token. */
  readonly pace?: number | undefined;
}

/** Tokens between two pauses of a slow model. */
const stepOfSlow = 5;

/** llama.cpp with one model in memory. Requests beyond its slots wait. */
export class Llama {
  /** Tokens. */
  readonly contextLength: number;
  readonly #context: NativeContext;
  readonly #slots: number;
  readonly #pace: number | undefined;
  readonly #running = new Set<Promise<unknown>>();
  readonly #pending = new Set<Promise<unknown>>();

  /** @param library the path of `index.node` */
  constructor(library: string, model: string, { contextLength, slots, pace }: LlamaSettings) {
    const { LlamaContext } = createRequire(import.meta.url)(library) as NativeModule;
    // llama.cpp's log would hide the engine's own.
    LlamaContext.toggleNativeLog(false, () => undefined);
    this.contextLength = contextLength;
    this.#slots = slots;
    this.#pace = pace;
    this.#context = new LlamaContext({
      model,
      n_ctx: contextLength * slots,
      n_parallel: slots,
      n_threads: 1,
      n_gpu_layers: 0,
    });
    // Its non-parallel mode miscounts active requests when a tiny model finishes at once.
    this.#context.enableParallelMode({ n_parallel: slots, n_batch: contextLength });
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
    return listedIn(this.#pending, this.#inTurn(options, onToken, signal));
  }

  /** Frees the memory after all pending requests. */
  async release(): Promise<void> {
    await Promise.allSettled(this.#pending);
    await this.#context.release();
  }

  async #inTurn(
    options: CompletionOptions,
    onToken: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Completion> {
    while (this.#running.size >= this.#slots) await Promise.race(this.#running);
    return await listedIn(this.#running, this.#complete(options, onToken, signal));
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
      const limit = this.#pace === undefined ? left : Math.min(left, stepOfSlow);
      const result = await this.#segment({ ...options, prompt, limit }, onToken, signal);
      if (!result) break;
      sum = added(sum, result);
      if (result.timings.predicted_n === 0) break;
      if (this.#pace !== undefined) await wait(this.#pace * result.timings.predicted_n);
      else if (!result.context_full || options.limit < 0) break;
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
    const end = Promise.withResolvers<NativeResult | undefined>();
    const { requestId } = this.#context.queueCompletion(settings, (error, news) => {
      if (error) end.reject(error);
      else if ('token' in news) onToken(news.token);
      else end.resolve(news);
    });
    // The native module never calls back after a cancellation.
    const cancel = () => {
      this.#context.cancelRequest(requestId);
      end.resolve(undefined);
    };
    signal.addEventListener('abort', cancel, { once: true });
    // A finished request must not be cancelled: a slow model has many.
    return end.promise.finally(() => signal.removeEventListener('abort', cancel));
  }
}

/** Lists a promise in a set until it is settled. */
async function listedIn<Value>(set: Set<Promise<unknown>>, given: Promise<Value>): Promise<Value> {
  const settled = given.catch(() => undefined);
  set.add(settled);
  try {
    return await given;
  } finally {
    set.delete(settled);
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
