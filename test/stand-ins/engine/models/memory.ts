import { closeSync, openSync, readSync } from 'node:fs';
import { Llama } from '../generate/llama.ts';
import { paceIn } from '../gguf/tiny-gguf.ts';
import type { EngineSettings } from '../settings.ts';
import { type ModelStore, type StoredModel, sizeOf } from './model-store.ts';

interface Loaded {
  readonly model: StoredModel;
  readonly llama: Llama;
  expires: number;
  timer: NodeJS.Timeout | undefined;
}

const modelLayer = 'application/vnd.ollama.image.model';

/** The loaded models. Each is unloaded when it was idle for its keep-alive time. */
export class Memory {
  readonly #settings: EngineSettings;
  readonly #store: ModelStore;
  readonly #loaded = new Map<string, Loaded>();

  constructor(settings: EngineSettings, store: ModelStore) {
    this.#settings = settings;
    this.#store = store;
  }

  /** Returns the model ready to generate, and the load time in nanoseconds. */
  async load(model: StoredModel, keepAlive?: number): Promise<{ llama: Llama; took: number }> {
    const began = process.hrtime.bigint();
    const loaded = this.#loaded.get(model.digest) ?? this.#read(model);
    this.#loaded.set(model.digest, loaded);
    this.#keep(loaded, keepAlive ?? this.#settings.keepAlive);
    return { llama: loaded.llama, took: Math.max(1, Number(process.hrtime.bigint() - began)) };
  }

  /**
   * Returns the error for a model that cannot be loaded. Since 0.30 Ollama itself compares no
   * sizes; llama-server fails, and its last errors follow (`llm/llama_server.go`, `llm/status.go`).
   */
  refusal({ manifest }: StoredModel): string | undefined {
    const size = sizeOf(manifest);
    if (size <= this.#settings.memory) return undefined;
    return [
      `llama-server process has terminated: exit status 1: ggml_backend_cpu_buffer_type_alloc_buffer: failed to allocate buffer of size ${size}`,
      `alloc_tensor_range: failed to allocate CPU buffer of size ${size}`,
      'error loading model: unable to allocate CPU buffer',
    ].join('\n');
  }

  async unload(model: StoredModel): Promise<void> {
    const loaded = this.#loaded.get(model.digest);
    if (!loaded) return;
    this.#loaded.delete(model.digest);
    clearTimeout(loaded.timer);
    await loaded.llama.release();
  }

  list(): ReadonlyArray<{ readonly model: StoredModel; readonly expires: Date }> {
    return [...this.#loaded.values()].map(({ model, expires }) => ({
      model,
      expires: new Date(expires),
    }));
  }

  #read(model: StoredModel): Loaded {
    const layer = model.manifest.layers.find(({ mediaType }) => mediaType === modelLayer);
    if (!layer) throw new Error('the model has no layer with weights');
    const { library, contextLength, slots } = this.#settings;
    const path = this.#store.blobPath(layer.digest);
    const llama = new Llama(library, path, { contextLength, slots, pace: readPace(path) });
    return { model, llama, expires: 0, timer: undefined };
  }

  /** setTimeout is limited to 2^31 ms; a longer keep-alive never unloads. */
  #keep(loaded: Loaded, keepAlive: number): void {
    clearTimeout(loaded.timer);
    const forever = keepAlive < 0 || keepAlive > 2 ** 31 - 1;
    loaded.expires = Date.now() + (forever ? 100 * 365 * 86_400_000 : keepAlive);
    loaded.timer = forever
      ? undefined
      : setTimeout(() => void this.unload(loaded.model), keepAlive).unref();
  }
}

function readPace(path: string): number | undefined {
  const head = Buffer.alloc(32 << 10);
  const file = openSync(path, 'r');
  try {
    return paceIn(head.subarray(0, readSync(file, head)));
  } finally {
    closeSync(file);
  }
}
