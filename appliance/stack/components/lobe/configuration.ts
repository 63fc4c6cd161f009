import { envFile } from '../../env-file.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { relayBase, relayOrigin } from '../relay/base.ts';

/**
 * Renders what LobeChat reads at its start: a relay key, and where the relay serves the first two
 * providers, under the names that LobeChat knows (SPEC 2.5).
 */
export function renderLobe({ site, secrets }: StackInput): RenderedFile[] {
  const [first, second] = Object.keys(site.providers);
  const variables = {
    ACCESS_CODE: secrets.LOBE_ACCESS_CODE ?? '',
    // LobeChat wants the whole base, and calls it a proxy.
    OPENAI_PROXY_URL: `${first ? relayBase(first) : relayOrigin}/v1`,
    OPENAI_API_KEY: secrets.RELAY_KEY_LOBE ?? '',
    ...(second ? secondProvider(second, secrets.RELAY_KEY_LOBE ?? '') : {}),
  };
  return [secretFile('lobe/secrets.env', envFile(variables), 'lobe')];
}

/** Providers that LobeChat knows by name and that speak OpenAI's API. */
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
  'stepfun',
  'togetherai',
  'xai',
  'zhipu',
]);

/** Under its own name where LobeChat knows it; else as the one that takes models of any name. */
function secondProvider(provider: string, key: string): Record<string, string> {
  const name = (knownToLobe.has(provider) ? provider : 'openrouter').toUpperCase();
  return { [`${name}_PROXY_URL`]: `${relayBase(provider)}/v1`, [`${name}_API_KEY`]: key };
}
