import { modelsOf } from '#contract/known-providers.ts';
import { openaiProviders } from '#contract/site/providers/provider-api.ts';
import { relayBase, relayOrigin } from '../../address-in-stack.ts';
import { envFile, type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';

/**
 * Renders the settings of NextChat, for the first provider of the site and its models. They contain a relay key and
 * never a provider's key, because a crafted request can make NextChat disclose its key.
 */
export function renderChat({ site, secrets, providerModels }: StackInput): RenderedFile[] {
  const [[first, provider] = []] = openaiProviders(site);
  const models = first && provider ? modelsOf(first, provider, providerModels?.get(first)) : [];
  const variables = {
    CODE: secrets.CHAT_ACCESS_CODE ?? '',
    // NextChat appends /v1/….
    BASE_URL: first ? relayBase(first) : relayOrigin,
    OPENAI_API_KEY: secrets.RELAY_KEY_CHAT ?? '',
    ...offered(models),
  };
  return [secretFile('chat/secrets.env', envFile(variables), 'chat')];
}

/**
 * Replaces the list of NextChat, which has the models of all providers that it knows. Without @OpenAI,
 * it sends a model with a name on that list to the provider of the list, past the relay.
 */
function offered(models: readonly string[]): Record<string, string> {
  const [first] = models;
  if (first === undefined) return {};
  return {
    CUSTOM_MODELS: ['-all', ...models.map((name) => `+${name}@OpenAI`)].join(','),
    DEFAULT_MODEL: first,
  };
}
