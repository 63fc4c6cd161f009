import { signInEmail } from '#contract/site/email.ts';
import { providerKeyName } from '#contract/site/key-names.ts';
import { envFile } from '../../env-file.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { relayBase } from '../relay/base.ts';

/**
 * Renders the settings of Open WebUI: the signing key, the administrator, and the relay's base URLs of
 * hosted models. Open WebUI creates the administrator before it serves its first request, if it has no
 * user yet.
 */
export function renderUi(input: StackInput): RenderedFile[] {
  const { site, secrets } = input;
  const content = envFile({
    WEBUI_SECRET_KEY: secrets.WEBUI_SECRET_KEY ?? '',
    WEBUI_ADMIN_EMAIL: signInEmail(site),
    WEBUI_ADMIN_PASSWORD: secrets.WEBUI_ADMIN_PASSWORD ?? '',
    WEBUI_ADMIN_NAME: site.admin.user,
    ...hostedModels(input),
    ...generationSettings(input),
  });
  return [secretFile('ui/secrets.env', content, 'ui')];
}

/**
 * Returns the variables of hosted models, for providers whose key is set. Open WebUI needs one key per
 * base URL, each list in one variable (docs.openwebui.com, OPENAI_API_BASE_URLS).
 */
function hostedModels({ site, secrets }: StackInput): Record<string, string> {
  const providers = Object.keys(site.providers).filter((name) => secrets[providerKeyName(name)]);
  if (providers.length === 0) {
    return { ENABLE_OPENAI_API: 'False' };
  }
  return {
    ENABLE_OPENAI_API: 'True',
    OPENAI_API_BASE_URLS: providers.map((name) => `${relayBase(name)}/v1`).join(';'),
    OPENAI_API_KEYS: providers.map(() => secrets.RELAY_KEY_UI ?? '').join(';'),
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
