import type { ProviderApi } from './site/providers/provider-api.ts';

/** A provider that users know by name. */
interface KnownProvider {
  /** Its name in prompts; Chinese providers are known by their Chinese name. */
  readonly title: string;
  /** The API base: the relay appends `/chat/completions` and the other endpoints. */
  readonly baseUrl: string;
  /** Default: OpenAI's. */
  readonly api?: ProviderApi;
  /**
   * Models that front-ends offer if the provider has no list of its models and the site names none. Without
   * them, a front-end offers its own list. Only aliases: dated names are switched off within months.
   */
  readonly models?: readonly string[];
}

/**
 * Known providers by the name in site.yaml, those in mainland China first. Base URLs and models were
 * read in public SDKs and client lists in November 2026. Front-ends take the models from the provider's list.
 */
export const providerTable: Readonly<Record<string, KnownProvider>> = {
  deepseek: {
    title: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
  },
  qwen: {
    title: '通义千问 (Alibaba DashScope)',
    baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1',
    models: ['qwen-plus', 'qwen-max'],
  },
  zhipu: {
    title: '智谱 (GLM)',
    baseUrl: 'https://open.bigmodel.cn/api/paas/v4',
    models: ['glm-5.3', 'glm-5.3-flash'],
  },
  moonshot: {
    title: 'Moonshot (Kimi)',
    baseUrl: 'https://api.moonshot.cn/v1',
  },
  siliconflow: {
    title: '硅基流动 (SiliconFlow)',
    baseUrl: 'https://api.siliconflow.cn/v1',
  },
  volcengine: {
    title: '火山方舟 (豆包, Doubao)',
    baseUrl: 'https://ark.cn-beijing.volces.com/api/v3',
  },
  qianfan: {
    title: '百度千帆 (ERNIE)',
    baseUrl: 'https://qianfan.baidubce.com/v2',
  },
  spark: {
    title: '讯飞星火 (Spark)',
    baseUrl: 'https://spark-api-open.xf-yun.com/v1',
    models: ['4.0Ultra', 'generalv3.5', 'lite'],
  },
  minimax: { title: 'MiniMax', baseUrl: 'https://api.minimaxi.com/v1' },
  hunyuan: {
    title: '腾讯混元 (Hunyuan, TokenHub)',
    baseUrl: 'https://tokenhub.tencentmaas.com/v1',
  },
  stepfun: { title: '阶跃星辰 (StepFun)', baseUrl: 'https://api.stepfun.com/v1' },
  xiaomi: { title: '小米 (Xiaomi MiMo)', baseUrl: 'https://api.xiaomimimo.com/v1' },
  openai: { title: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  anthropic: {
    title: 'Anthropic (Claude)',
    baseUrl: 'https://api.anthropic.com/v1',
    api: 'anthropic',
  },
  gemini: {
    title: 'Google Gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    api: 'gemini',
  },
  openrouter: { title: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
  groq: { title: 'Groq', baseUrl: 'https://api.groq.com/openai/v1' },
  mistral: { title: 'Mistral', baseUrl: 'https://api.mistral.ai/v1' },
  xai: { title: 'xAI', baseUrl: 'https://api.x.ai/v1' },
};

/** Base URLs of known providers by the name in site.yaml. */
export const knownProviders: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(providerTable).map(([name, { baseUrl }]) => [name, baseUrl]),
);

/** Names of models that are not chat models. */
const otherKinds = new RegExp(
  [
    ...['embed', '\\b(?:bge|bce|gte)-', 'rerank', 'moderation', 'babbage', 'davinci', '\\bocr\\b'],
    ...[
      'whisper',
      'tts',
      'speech',
      'audio',
      'voice',
      'realtime',
      'transcri',
      '\\basr\\b',
      'paraformer',
    ],
    ...['image', 'imagine', 'dall-e', 'diffusion', '\\bflux', 'kolors', 'cogview', 'seedream'],
    ...['sora', '\\bveo-', 'video', '\\bwanx?[\\d.]', '[ti]2v', 'seedance'],
  ].join('|'),
  'i',
);

/** Returns the models of a list that are likely chat models; all of them if none is. */
export function likelyChatModels(names: readonly string[]): readonly string[] {
  const likely = names.filter((name) => !otherKinds.test(name));
  return likely.length > 0 ? likely : names;
}

/**
 * Returns the models that front-ends offer for a provider of a site; empty: not known.
 * @param listed models that the provider listed
 */
export function modelsOf(
  name: string,
  {
    base_url,
    models,
  }: { readonly base_url: string; readonly models?: readonly string[] | undefined },
  listed: readonly string[] = [],
): readonly string[] {
  if (models !== undefined) return models;
  if (listed.length > 0) return likelyChatModels(listed);
  const { host } = new URL(base_url);
  const known = Object.values(providerTable).filter(
    (entry) => new URL(entry.baseUrl).host === host,
  );
  // A site may also reach a known provider through another relay, under the same name.
  return (known[0] ?? providerTable[name])?.models ?? [];
}
