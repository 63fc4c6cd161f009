import { envFile } from '../env-file.ts';
import { type RenderedFile, secretFile, uids } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/** Where the relay serves a provider, as containers see it. */
export function relayBase(provider: string): string {
  return `http://relay:8080/${provider}`;
}

/**
 * What the front-ends read at their start. They hold a relay key and never a provider's: NextChat
 * gives the key it holds to whoever asks in the right way. The first provider of the site serves
 * the single-provider front-end; the other one is told the first two, under the names it knows
 * (SPEC 2.5).
 */
export function renderFrontEnds({ site, secrets }: StackInput): {
  chat: RenderedFile[];
  lobe: RenderedFile[];
} {
  const [first, second] = Object.keys(site.providers);
  const chat = {
    CODE: secrets.CHAT_ACCESS_CODE ?? '',
    // NextChat appends /v1/… itself.
    BASE_URL: first ? relayBase(first) : 'http://relay:8080',
    OPENAI_API_KEY: secrets.RELAY_KEY_CHAT ?? '',
  };
  const lobe = {
    ACCESS_CODE: secrets.LOBE_ACCESS_CODE ?? '',
    // LobeChat wants the whole base, and calls it a proxy.
    OPENAI_PROXY_URL: first ? `${relayBase(first)}/v1` : 'http://relay:8080/v1',
    OPENAI_API_KEY: secrets.RELAY_KEY_LOBE ?? '',
    ...(second ? secondProvider(second, secrets.RELAY_KEY_LOBE ?? '') : {}),
  };
  return {
    chat: site.components.chat ? [secretFile('chat/secrets.env', envFile(chat), uids.root)] : [],
    lobe: site.components.lobe ? [secretFile('lobe/secrets.env', envFile(lobe), uids.lobe)] : [],
  };
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
