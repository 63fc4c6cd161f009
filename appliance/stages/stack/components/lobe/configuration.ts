import { modelsOf } from '#contract/known-providers.ts';
import { openaiProviders } from '#contract/site/providers/provider-api.ts';
import { relayBase, relayOrigin } from '../../address-in-stack.ts';
import { envFile, type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

/**
 * Renders the settings of LobeChat: a relay key, and the relay's base URLs of the first two providers,
 * in LobeChat's own variables (SPEC 2.5).
 */
export function renderLobe({ site, secrets, providerModels }: StackInput): RenderedFile[] {
  const [first, second] = openaiProviders(site);
  const variables = {
    ACCESS_CODE: secrets.LOBE_ACCESS_CODE ?? '',
    // What LobeChat calls a proxy is the complete base URL.
    OPENAI_PROXY_URL: `${first ? relayBase(first[0]) : relayOrigin}/v1`,
    OPENAI_API_KEY: secrets.RELAY_KEY_LOBE ?? '',
    ...(first ? offered('OPENAI', modelsOf(...first, providerModels?.get(first[0]))) : {}),
    ...(second
      ? secondProvider(...second, secrets.RELAY_KEY_LOBE ?? '', providerModels?.get(second[0]))
      : {}),
  };
  return [secretFile('lobe/secrets.env', envFile(variables), 'lobe')];
}

type Providers = StackInput['site']['providers'];

/** Names in site.yaml of providers that LobeChat knows by another name. */
const lobeNames: Readonly<Record<string, string>> = {
  qianfan: 'wenxin',
  siliconflow: 'siliconcloud',
};

/** Providers with OpenAI's API that LobeChat supports by name. */
const knownToLobe = new Set([
  'deepseek',
  'fireworksai',
  'groq',
  'mistral',
  'moonshot',
  'openrouter',
  'perplexity',
  'qwen',
  'siliconcloud',
  'spark',
  'stepfun',
  'togetherai',
  'volcengine',
  'wenxin',
  'xai',
  'zhipu',
]);

/** Returns the variables of the second provider. `openrouter` accepts models of any name. */
function secondProvider(
  provider: string,
  settings: Providers[string],
  key: string,
  listed: readonly string[] | undefined,
): Record<string, string> {
  const known = lobeNames[provider] ?? provider;
  const name = (knownToLobe.has(known) ? known : 'openrouter').toUpperCase();
  return {
    [`${name}_PROXY_URL`]: `${relayBase(provider)}/v1`,
    [`${name}_API_KEY`]: key,
    ...offered(name, modelsOf(provider, settings, listed)),
  };
}

/** Replaces the list of models that LobeChat has for a provider. */
function offered(name: string, models: readonly string[]): Record<string, string> {
  if (models.length === 0) return {};
  return { [`${name}_MODEL_LIST`]: ['-all', ...models.map((model) => `+${model}`)].join(',') };
}
