import { envFile } from '../../env-file.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { relayBase, relayOrigin } from '../relay/base.ts';

/**
 * Renders the settings of LobeChat: a relay key, and the relay's base URLs of the first two providers,
 * in LobeChat's own variables (SPEC 2.5).
 */
export function renderLobe({ site, secrets }: StackInput): RenderedFile[] {
  const [first, second] = Object.keys(site.providers);
  const variables = {
    ACCESS_CODE: secrets.LOBE_ACCESS_CODE ?? '',
    // What LobeChat calls a proxy is the complete base URL.
    OPENAI_PROXY_URL: `${first ? relayBase(first) : relayOrigin}/v1`,
    OPENAI_API_KEY: secrets.RELAY_KEY_LOBE ?? '',
    ...(second ? secondProvider(second, secrets.RELAY_KEY_LOBE ?? '') : {}),
  };
  return [secretFile('lobe/secrets.env', envFile(variables), 'lobe')];
}

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
  'stepfun',
  'togetherai',
  'xai',
  'zhipu',
]);

/** Returns the variables of the second provider. `openrouter` accepts models of any name. */
function secondProvider(provider: string, key: string): Record<string, string> {
  const name = (knownToLobe.has(provider) ? provider : 'openrouter').toUpperCase();
  return { [`${name}_PROXY_URL`]: `${relayBase(provider)}/v1`, [`${name}_API_KEY`]: key };
}
