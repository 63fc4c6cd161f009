import { modelSize } from '../bundle/model-files.ts';
import { cachedValues } from '../bundle/model-shape.ts';
import { shapeOf } from '../bundle/reference-models.ts';
import type { ReleaseModel } from '../bundle/release.ts';
import type { Site } from '../site/site.ts';
import { limitsOf, type ServerSize } from './limits.ts';

/** The fields of a site about the context of its models. */
export type ContextSettings = Partial<Pick<Site, 'context' | 'context_cache'>>;

/** The context lengths that a server may get, in tokens. The largest that fits is used. */
const contextLengths = [16_384, 8_192, 4_096] as const;
/** Enough for a conversation of about fifteen long messages. Tokens. */
export const defaultContext = 8_192;
/** Ollama's own default, used only if nothing else fits. Tokens. */
export const minContext = 4_096;

/**
 * Layers of models up to a size in bytes, for models without a known shape: those of Qwen 3, whose models have
 * as many layers as other families of their size, or more.
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
 * Bytes of a number in the cache. `q8_0` has 34 bytes for 32 numbers (ggml, `block_q8_0`); with it, a CPU needs 2.9
 * times as long for a prompt of 2,900 tokens (docs/release/benchmark.md).
 */
const bytesPerValue = { f16: 2, q8_0: 34 / 32 } as const;
/** All current embedding models up to this size are encoders. Bytes. */
const maxEncoder = 0.3e9;

/** Vocabulary, compute buffers and the runner, measured (docs/release/benchmark.md). Bytes. */
const besideWeights = { decoder: 0.21e9, encoder: 0.1e9 } as const;
/** Tokens of Qwen 3's vocabulary, with which `besideWeights` was measured. */
const measuredVocabulary = 151_936;
/** The names and results of each further token, measured with Gemma 3 (262,144 tokens). Bytes. */
const perVocabularyToken = 1000;
/** The mask of a batch: two bytes for each of its 512 tokens. Bytes per token of the context. */
const maskPerToken = 2 * 512;

/**
 * Returns the memory that Ollama needs to run a model, in bytes.
 * @param context tokens of a conversation
 * @param slots conversations at the same time
 */
export function memoryFor(
  model: ReleaseModel,
  context: number,
  slots = 1,
  { context_cache: cache = 'f16' }: ContextSettings = {},
): number {
  if (isEncoder(model)) return modelSize(model) + besideWeights.encoder;
  // Ollama lowers a context to the length of the training.
  const tokens = Math.min(context, trainedContext(model));
  const conversation = valuesFor(model, tokens) * bytesPerValue[cache] + tokens * maskPerToken;
  const furtherTokens = Math.max(0, (shapeOf(model)?.vocabulary ?? 0) - measuredVocabulary);
  const beside = besideWeights.decoder + furtherTokens * perVocabularyToken;
  return modelSize(model) + slots * conversation + beside;
}

/** Encoders have no key-value cache. */
function isEncoder(model: ReleaseModel): boolean {
  const shape = shapeOf(model);
  if (shape) return shape.values === 0 && shape.window === undefined;
  return model.role === 'embedding' && modelSize(model) <= maxEncoder;
}

/** Returns the numbers of the key-value cache of a conversation, estimated by size for an unknown shape. */
function valuesFor(model: ReleaseModel, context: number): number {
  const shape = shapeOf(model);
  if (shape) return cachedValues(shape, context);
  const size = modelSize(model);
  const [, layers = 0] = layersUpTo.find(([largest]) => size <= largest) ?? [];
  return layers * valuesPerLayer * context;
}

/** Returns the tokens for which a model was trained; infinite if they are not known. */
export function trainedContext(model: ReleaseModel): number {
  return shapeOf(model)?.context ?? Number.POSITIVE_INFINITY;
}

/** Returns whether models fit the memory limit of the inference engine together. */
export function fitTogether(
  models: readonly ReleaseModel[],
  server: ServerSize,
  context: number,
  settings: ContextSettings = {},
): boolean {
  return memoryOf(models, context, server, settings) <= limitsOf(server).engine.memory;
}

/**
 * Returns the context length of a server in tokens: that of the site, or the largest with which each chat model
 * fits next to the embedding model, so that the server never swaps.
 * @param models those of the server
 */
export function contextOf(
  models: readonly ReleaseModel[],
  server: ServerSize,
  settings: ContextSettings = {},
): number {
  if (settings.context !== undefined) return settings.context;
  return largestContext(models, server, contextLengths, settings) ?? minContext;
}

/** Returns the first of some contexts with which each chat model fits next to the embedding model. */
export function largestContext(
  models: readonly ReleaseModel[],
  server: ServerSize,
  contexts: readonly number[],
  settings: ContextSettings = {},
): number | undefined {
  return contexts.find((context) =>
    loadedTogether(models).every((loaded) => fitTogether(loaded, server, context, settings)),
  );
}

/**
 * Returns the memory for the prompts of earlier conversations in bytes: half of what the models leave.
 * Ollama 0.32 and newer keep them to respond sooner; their own maximum is 8 GiB.
 */
export function promptCacheOf(
  models: readonly ReleaseModel[],
  server: ServerSize,
  settings: ContextSettings = {},
): number {
  const context = contextOf(models, server, settings);
  const spare = loadedTogether(models).map(
    (loaded) => limitsOf(server).engine.memory - memoryOf(loaded, context, server, settings),
  );
  return Math.max(0, Math.min(...spare) / 2);
}

/** Returns the sets of models that are in memory at the same time: a chat model and the embedding model. */
export function loadedTogether(models: readonly ReleaseModel[]): ReleaseModel[][] {
  const embedding = models.filter(({ role }) => role === 'embedding');
  const chats = models.filter(({ role }) => role === 'chat');
  return chats.length > 0 ? chats.map((chat) => [chat, ...embedding]) : [embedding];
}

/** Returns the memory that models need together, in bytes. */
export function memoryOf(
  models: readonly ReleaseModel[],
  context: number,
  { slots }: Pick<ServerSize, 'slots'>,
  settings: ContextSettings = {},
): number {
  return models.reduce((sum, model) => sum + memoryFor(model, context, slots, settings), 0);
}
