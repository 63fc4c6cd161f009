import type { ReleaseModel } from '#contract/bundle/release.ts';
import { signInEmail } from '#contract/site/email.ts';
import { servedHosts } from '#contract/site/enabled.ts';
import { originOf } from '#contract/site/endpoints.ts';
import { providerKeyName } from '#contract/site/key-names.ts';
import { gatewayAddress } from '#contract/site/network/public-ports.ts';
import { isKeyless, openaiProviders } from '#contract/site/providers/provider-api.ts';
import { listedName } from '#contract/sizes/local-models.ts';
import { mapOf } from '#contract/text/json.ts';
import { isPublic } from '../../../../server/host/outside/addresses.ts';
import { relayBase } from '../../address-in-stack.ts';
import { documentLimits } from '../../document-limits.ts';
import { envFile, type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { chineseSuggestions } from './suggestions.ts';

/** Below the folder of the stack. */
export const uiSecretsFile = 'ui/secrets.env';

/**
 * Renders the settings of Open WebUI: the signing key, the administrator, and the relay's base URLs of
 * hosted models. Open WebUI creates the administrator before it serves its first request, if it has no
 * user yet.
 */
export function renderUi(input: StackInput): RenderedFile[] {
  const { site, secrets } = input;
  const render = (password: string) =>
    envFile({
      WEBUI_SECRET_KEY: secrets.WEBUI_SECRET_KEY ?? '',
      WEBUI_ADMIN_EMAIL: signInEmail(site),
      WEBUI_ADMIN_PASSWORD: password,
      WEBUI_ADMIN_NAME: site.admin.user,
      ...hostedModels(input),
      ...generationSettings(input),
      ...(site.language === 'zh'
        ? { DEFAULT_PROMPT_SUGGESTIONS: JSON.stringify(chineseSuggestions) }
        : {}),
    });
  const file = secretFile(uiSecretsFile, render(secrets.WEBUI_ADMIN_PASSWORD ?? ''), 'ui');
  // The password matters only while there is no account, so a new one needs no restart.
  return [{ ...file, watched: render('') }];
}

/**
 * Returns the variables of hosted models, for providers with OpenAI's API whose key is set. Open WebUI needs one key per
 * base URL, each list in one variable (docs.openwebui.com, OPENAI_API_BASE_URLS).
 */
function hostedModels({ site, secrets }: StackInput): Record<string, string> {
  const providers = openaiProviders(site).filter(
    ([name, settings]) => secrets[providerKeyName(name)] || isKeyless(settings),
  );
  if (providers.length === 0) {
    return { ENABLE_OPENAI_API: 'False' };
  }
  return {
    ENABLE_OPENAI_API: 'True',
    OPENAI_API_BASE_URLS: providers.map(([name]) => `${relayBase(name)}/v1`).join(';'),
    OPENAI_API_KEYS: providers.map(() => secrets.RELAY_KEY_UI ?? '').join(';'),
    // By the position of the base URL. Without a list, Open WebUI requests that of the provider.
    OPENAI_API_CONFIGS: JSON.stringify(
      Object.fromEntries(providers.map(([, { models }], at) => [at, { model_ids: models ?? [] }])),
    ),
    // The relay counts the tokens of each user, and forwards no address.
    ...(site.relay.ui ? { ENABLE_FORWARD_USER_INFO_HEADERS: 'True' } : {}),
  };
}

/**
 * Returns the parameters of replies and of background tasks. With native function calling, Open WebUI
 * 0.12 adds 36 tools to each request of a browser (utils/middleware.py): 6,000 tokens, which exceed the
 * context of a small server, and which Ollama rejects for a model without tools.
 */
function generationSettings({ site, models }: StackInput): Record<string, string> {
  const { function_calling } = site.ui;
  return {
    DEFAULT_MODEL_PARAMS: JSON.stringify(function_calling === 'legacy' ? { function_calling } : {}),
    // Background tasks are off on servers with a local chat model; this bounds the remaining ones.
    TASK_MODEL_PARAMS: JSON.stringify(
      models?.chat ? { think: false, max_tokens: 300 } : { max_tokens: 1000 },
    ),
  };
}

/** Returns Open WebUI's variables of `compose.yaml`. */
export function uiVariables({ site, server, models }: StackInput): Record<string, string> {
  const { ui } = servedHosts(site);
  const inTunnel = gatewayAddress(site);
  const names = ui ? [ui] : inTunnel ? [inTunnel] : (server.addresses ?? []);
  const origins = names.map((name) => originOf(site, name));
  const tunnel = ['localhost', '127.0.0.1'].map((name) => `http://${name}:${site.ports.ui}`);
  return {
    WEBUI_URL: origins[0] ?? '',
    // Without a name or a public address, allow any origin: behind NAT, browsers use an address that is not in
    // the list, and a list without it locks out users.
    UI_ORIGINS: ui || inTunnel || names.some(isPublic) ? [...origins, ...tunnel].join(';') : '*',
    UI_SECURE_COOKIES: site.tls.mode === 'off' ? 'False' : 'True',
    UI_DEFAULT_MODELS: models?.chat ? listedName(models.chat) : '',
    UI_BACKGROUND_TASKS: models?.chat ? 'False' : 'True',
    UI_MODELS_FOR_EVERYONE: hostedModelsFor(site, models) === 'everyone' ? 'True' : 'False',
    UI_FILE_MB: `${documentLimits(models?.embedding, server).file}`,
    ...embeddingVariables(models?.embedding),
  };
}

/** Returns who sees hosted models. Local models are registered for every account (`smoke/ui-models`). */
function hostedModelsFor({ ui }: StackInput['site'], models: StackInput['models']) {
  return ui.hosted_models ?? (models?.chat ? 'administrators' : 'everyone');
}

/** Included in Open WebUI's image, except for the slim variant. */
const modelInImage = 'sentence-transformers/all-MiniLM-L6-v2';

/**
 * Returns the variables of document search: a model of the release in Ollama. Without one, Open WebUI
 * uses the model in its image, which takes another 500 MB of memory.
 */
function embeddingVariables(model: ReleaseModel | undefined): Record<string, string> {
  const name = model ? listedName(model) : modelInImage;
  return {
    UI_EMBEDDING_ENGINE: model ? 'ollama' : '',
    UI_EMBEDDING_MODEL: name,
    ...passageVariables(name),
  };
}

/** Tokens that a model reads at once, if they are fewer than the characters of Open WebUI's passages. */
const smallContexts = mapOf<number>({
  'all-minilm': 256,
  [modelInImage]: 256,
  'bge-large': 512,
  'mxbai-embed-large': 512,
  'paraphrase-multilingual': 512,
  'snowflake-arctic-embed': 512,
});
/** Open WebUI's own: characters of a passage, those that it shares with the next, and passages for a question. */
const defaults = { size: 1000, overlap: 100, count: 3 };
/** Characters for a token. Most are one token at most, but punctuation that a vocabulary lacks is two. */
const charactersPerToken = 0.8;

/**
 * Returns how documents are divided. Ollama rejects a passage that is longer than the context of the model
 * (ollama#14186), as Chinese, code and tables are with Open WebUI's length.
 */
function passageVariables(model: string): Record<string, string> {
  const tokens =
    smallContexts.get(model) ?? smallContexts.get(model.split(':')[0] ?? '') ?? Infinity;
  const size = Math.min(defaults.size, Math.floor(tokens * charactersPerToken));
  const overlap = size < defaults.size ? Math.floor(size / 5) : defaults.overlap;
  return {
    UI_PASSAGE_SIZE: `${size}`,
    UI_PASSAGE_OVERLAP: `${overlap}`,
    // The model gets about as much text as with longer ones.
    UI_PASSAGES: `${Math.ceil((defaults.count * (defaults.size - defaults.overlap)) / (size - overlap))}`,
  };
}
