import { modelSize } from '../bundle/model-files.ts';
import type { ReleaseModel } from '../bundle/release.ts';
import { limitsOf, type ServerSize } from './limits.ts';

/** The context lengths that a server may get, in tokens. The largest that fits is used. */
const contextLengths = [16_384, 8_192, 4_096] as const;
/** Enough for a conversation of about fifteen long messages. Tokens. */
export const defaultContext = 8_192;
/** Ollama's own default, used only if nothing else fits. Tokens. */
export const minContext = 4_096;

/**
 * Layers of models up to a size in bytes: those of Qwen 3, whose models have as many layers as other
 * families of their size, or more.
 */
const layersUpTo: ReadonlyArray<readonly [size: number, layers: number]> = [
  [2e9, 28],
  [7e9, 36],
  [12e9, 48],
  [30e9, 64],
  [Number.POSITIVE_INFINITY, 80],
];
/**
 * Values of the key-value cache per layer and token: keys and values of 8 heads with 128 values each.
 * Nearly all models with grouped-query attention have as many or fewer. Older ones without it (Llama 2)
 * have up to four times as many.
 */
const valuesPerLayer = 2 * 8 * 128;
/**
 * 16-bit numbers. With `OLLAMA_KV_CACHE_TYPE=q8_0` a CPU needs 2.9 times as long for a prompt of 2,900
 * tokens (docs/release/benchmark.md).
 */
const bytesPerValue = 2;
/** Encoders have no key-value cache. All current embedding models up to this size are encoders. Bytes. */
const maxEncoder = 0.3e9;

/** Compute buffers and the runner process, measured (docs/release/benchmark.md). Bytes. */
const besideWeights: Readonly<Record<ReleaseModel['role'], number>> = {
  chat: 0.15e9,
  embedding: 0.1e9,
};

/**
 * Returns the memory that Ollama needs to run a model, in bytes.
 * @param context tokens of a conversation
 * @param slots conversations at the same time
 */
export function memoryFor(model: ReleaseModel, context: number, slots = 1): number {
  return modelSize(model) + slots * context * cachePerToken(model) + besideWeights[model.role];
}

/** Estimates the bytes of the key-value cache per token of the context. */
function cachePerToken(model: ReleaseModel): number {
  const size = modelSize(model);
  if (model.role === 'embedding' && size <= maxEncoder) return 0;
  const [, layers = 0] = layersUpTo.find(([largest]) => size <= largest) ?? [];
  return layers * valuesPerLayer * bytesPerValue;
}

/** Returns whether models fit the memory limit of the inference engine together. */
export function fitTogether(
  models: readonly ReleaseModel[],
  server: ServerSize,
  context: number,
): boolean {
  return memoryOf(models, context, server) <= limitsOf(server).engine.memory;
}

/**
 * Returns the context length of a server in tokens: the largest with which each chat model fits next to
 * the embedding model, so that the server never swaps.
 * @param models those of the server
 */
export function contextOf(models: readonly ReleaseModel[], server: ServerSize): number {
  const fits = (context: number) =>
    loadedTogether(models).every((loaded) => fitTogether(loaded, server, context));
  return contextLengths.find(fits) ?? minContext;
}

/**
 * Returns the memory for the prompts of earlier conversations in bytes: half of what the models leave.
 * Ollama 0.32 and newer keep them to respond sooner; their own maximum is 8 GiB.
 */
export function promptCacheOf(models: readonly ReleaseModel[], server: ServerSize): number {
  const context = contextOf(models, server);
  const spare = loadedTogether(models).map(
    (loaded) => limitsOf(server).engine.memory - memoryOf(loaded, context, server),
  );
  return Math.max(0, Math.min(...spare) / 2);
}

/** Returns the sets of models that are in memory at the same time: a chat model and the embedding model. */
function loadedTogether(models: readonly ReleaseModel[]): ReleaseModel[][] {
  const embedding = models.filter(({ role }) => role === 'embedding');
  const chats = models.filter(({ role }) => role === 'chat');
  return chats.length > 0 ? chats.map((chat) => [chat, ...embedding]) : [embedding];
}

function memoryOf(
  models: readonly ReleaseModel[],
  context: number,
  { slots }: Pick<ServerSize, 'slots'>,
): number {
  return models.reduce((sum, model) => sum + memoryFor(model, context, slots), 0);
}
