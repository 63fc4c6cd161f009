import { readFile } from 'node:fs/promises';
import type { ModelStore, StoredModel } from './model-store.ts';

/** Options of a generation that the stand-in supports. */
export interface ModelOptions {
  readonly num_predict: number;
  readonly temperature: number;
  readonly seed: number;
}

/** A value of null counts as missing (`FromMap`). */
export type GivenOptions = { readonly [Name in keyof ModelOptions]?: unknown };

/** Ollama's own defaults (`api/types.go`, `DefaultOptions`): num_predict has no limit. */
const defaults: ModelOptions = { num_predict: -1, temperature: 0.8, seed: -1 };
const integers: ReadonlySet<string> = new Set(['num_predict', 'seed']);
const paramsLayer = 'application/vnd.ollama.image.params';
/** Number of contexts that a response without a limit may fill (`llm/llama_server.go`). */
const contextsAtMost = 10;

/**
 * Merges the options of a generation (`server/routes.go`, `modelOptions`), in order of precedence:
 * the request, the params layer of the model, Ollama's defaults.
 * @throws Error with Ollama's message for a value of another type
 */
export async function modelOptions(
  model: StoredModel,
  store: ModelStore,
  request: GivenOptions = {},
): Promise<ModelOptions> {
  return merged(merged(defaults, await paramsOf(model, store)), request);
}

/**
 * Returns the maximum number of tokens (`boundedNumPredict`); negative: until the context is full.
 */
export function tokenLimit(numPredict: number, contextLength: number): number {
  const max = contextsAtMost * contextLength;
  // Zero is omitted from the request to llama-server, which has no default limit.
  if (numPredict === 0) return -1;
  return numPredict < 0 ? max : Math.min(numPredict, max);
}

async function paramsOf({ manifest }: StoredModel, store: ModelStore): Promise<GivenOptions> {
  const layer = manifest.layers.find(({ mediaType }) => mediaType === paramsLayer);
  if (!layer) return {};
  return JSON.parse(await readFile(store.blobPath(layer.digest), 'utf8')) as GivenOptions;
}

function merged(below: ModelOptions, above: GivenOptions): ModelOptions {
  const given = Object.entries(above).filter(
    ([name, value]) => name in defaults && value !== null && value !== undefined,
  );
  for (const [name, value] of given) {
    if (typeof value === 'number') continue;
    const type = integers.has(name) ? 'integer' : 'float32';
    throw new Error(`option "${name}" must be of type ${type}`);
  }
  return { ...below, ...Object.fromEntries(given) };
}
