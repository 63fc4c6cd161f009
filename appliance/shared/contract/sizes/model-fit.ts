import { modelSize } from '../bundle/model-files.ts';
import { shapeOf } from '../bundle/reference-models.ts';
import type { ReleaseModel } from '../bundle/release.ts';
import type { Problem } from '../errors.ts';
import { formatBytes } from '../text/amount.ts';
import { inLanguage, say } from '../text/language.ts';
import { formatTable } from '../text/table.ts';
import { limitsOf, type ServerSize } from './limits.ts';
import type { LocalModels } from './local-models.ts';
import {
  type ContextSettings,
  fitTogether,
  largestContext,
  loadedTogether,
  memoryFor,
  memoryOf,
  trainedContext,
} from './model-memory.ts';

/** Contexts that people ask for, the largest first. Tokens. */
const contexts = [131_072, 65_536, 32_768, 16_384, 8_192, 4_096] as const;

/** How fast a CPU generates with a model, by its size: memory bandwidth decides (docs/release/benchmark.md). */
const speeds = [
  { upTo: 1.5e9, speed: '20-30' },
  { upTo: 3e9, speed: '10-20' },
  { upTo: 6e9, speed: '5-10' },
  { upTo: Number.POSITIVE_INFINITY, speed: '<5' },
] as const;

/** What a server makes of a model of the release. */
interface ModelFit {
  readonly name: string;
  readonly role: ReleaseModel['role'];
  /** Memory with the context, in bytes. */
  readonly needs: number;
  readonly fits: boolean;
  /** The largest context that fits next to the embedding model, in tokens; null if none does. */
  readonly largest_context: number | null;
  /** Tokens for which it was trained; null if they are not known. */
  readonly trained_context: number | null;
  /** Tokens per second that two CPUs generate, as a class; null for embeddings. Estimated. */
  readonly speed: string | null;
  /** Where its memory comes from. */
  readonly estimate: 'shape' | 'size';
}

/**
 * Returns what a server makes of each model, with one context for all. GPU memory is not counted.
 * @param context tokens
 */
export function fitOf(
  models: readonly ReleaseModel[],
  server: ServerSize,
  context: number,
  settings: ContextSettings = {},
): ModelFit[] {
  const embedding = models.filter(({ role }) => role === 'embedding').slice(0, 1);
  return models.map((model) => {
    const { name, role } = model;
    const together = role === 'chat' ? [model, ...embedding] : [model];
    const trained = trainedContext(model);
    const usable = contexts.filter((each) => each <= trained);
    const isLong = role === 'chat' && trained < context;
    return {
      ...{ name, role, needs: memoryFor(model, context, server.slots, settings) },
      fits: !isLong && fitTogether(together, server, context, settings),
      largest_context: largestContext(together, server, usable, settings) ?? null,
      trained_context: Number.isFinite(trained) ? trained : null,
      speed:
        role === 'chat'
          ? (speeds.find(({ upTo }) => modelSize(model) <= upTo)?.speed ?? null)
          : null,
      estimate: shapeOf(model) ? 'shape' : 'size',
    };
  });
}

/** Formats what a server makes of each model as a table. @param context tokens */
export function describeFit(
  fits: readonly ModelFit[],
  server: ServerSize,
  context: number,
): string {
  const limit = formatBytes(limitsOf(server).engine.memory);
  const heads = [
    ...[say('MODEL', '模型'), say('NEEDS', '需要内存'), say('FITS', '放得下')],
    ...[say('LARGEST CONTEXT', '最大上下文'), say('TRAINED', '训练长度')],
    say('TOKENS/S (2 CPUS)', 'TOKEN/秒（2 核）'),
  ];
  const rows = fits.map((fit) => [
    fit.name,
    `${fit.estimate === 'size' ? '~' : ''}${formatBytes(fit.needs)}`,
    fit.fits ? say('yes', '是') : say('no', '否'),
    fit.role === 'embedding' ? '' : `${fit.largest_context ?? '-'}`,
    `${fit.trained_context ?? '?'}`,
    fit.speed ?? '',
  ]);
  const right = { align: 'right' } as const;
  return [
    say(
      `Context ${context} tokens; ${limit} of ${formatBytes(server.memory)} is available to models.`,
      `上下文 ${context} 个 token；${formatBytes(server.memory)} 中有 ${limit} 可供模型使用。`,
    ),
    formatTable([heads, ...rows], [{}, right, {}, right, right, right]),
    say(
      'Estimated, without GPU memory. A chat model counts with the first embedding model beside it.',
      '估算值，不计显存。聊天模型按与第一个嵌入模型同时加载计算。',
    ),
  ].join('\n');
}

/** Checks whether the models of a server have the context of the site, and whether any has it. */
export function problemsOfContext(
  { models, hostedOnly }: Pick<LocalModels, 'models' | 'hostedOnly'>,
  server: ServerSize,
  { context, context_cache }: ContextSettings,
): Problem[] {
  if (context === undefined) return [];
  const problem = (message: { en: string; zh: string }, hint: { en: string; zh: string }) => [
    { message: inLanguage(message), hint: inLanguage(hint) },
  ];
  const others = {
    en: `\`sudo landfall models fit --context ${context}\` shows which models have it.`,
    zh: `\`sudo landfall models fit --context ${context}\` 显示哪些模型可以。`,
  };
  if (hostedOnly === 'too-small') {
    return problem(
      {
        en: `no chat model of the release has a context of ${context} tokens on a server with ${formatBytes(server.memory)} of memory`,
        zh: `内存为 ${formatBytes(server.memory)} 的服务器上，此版本没有聊天模型能有 ${context} 个 token 的上下文`,
      },
      {
        en: `Set a smaller context. ${others.en}`,
        zh: `请减小 context。${others.zh}`,
      },
    );
  }
  return loadedTogether(models).flatMap((loaded) => {
    const [chat] = loaded;
    if (chat?.role !== 'chat') return [];
    const trained = trainedContext(chat);
    if (trained < context) {
      return problem(
        {
          en: `context ${context} is larger than the ${trained} tokens for which ${chat.name} was trained`,
          zh: `context ${context} 大于 ${chat.name} 的训练长度 ${trained} 个 token`,
        },
        {
          en: `Set context to ${trained} or less. ${others.en}`,
          zh: `context 最大设为 ${trained}。${others.zh}`,
        },
      );
    }
    if (fitTogether(loaded, server, context, { context_cache })) return [];
    const limit = limitsOf(server).engine.memory;
    const needs = formatBytes(memoryOf(loaded, context, server, { context_cache }));
    const quantized = memoryOf(loaded, context, server, { context_cache: 'q8_0' });
    const largest = largestContext(loaded, server, contexts, { context_cache });
    const advice =
      quantized <= limit
        ? {
            en: `Set context_cache to q8_0: it needs ${formatBytes(quantized)}, and a CPU reads long prompts up to 2.9 times slower.`,
            zh: `把 context_cache 设为 q8_0：只需 ${formatBytes(quantized)}，但 CPU 读取长提示最多慢 2.9 倍。`,
          }
        : {
            en: largest === undefined ? others.en : `Set context to ${largest}. ${others.en}`,
            zh: largest === undefined ? others.zh : `把 context 设为 ${largest}。${others.zh}`,
          };
    return problem(
      {
        en: `not enough memory for a context of ${context} tokens with ${chat.name}: it needs about ${needs}, and ${formatBytes(limit)} of ${formatBytes(server.memory)} is available to models`,
        zh: `内存不够让 ${chat.name} 使用 ${context} 个 token 的上下文：约需 ${needs}，而 ${formatBytes(server.memory)} 中有 ${formatBytes(limit)} 可供模型使用`,
      },
      advice,
    );
  });
}
