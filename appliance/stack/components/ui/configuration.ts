import { providerKeyName } from '#contract/site/key-names.ts';
import { envFile } from '../../env-file.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { relayBase } from '../relay/base.ts';

/** Returns the sign-in name of the UI's administrator. */
export function administratorEmail({ admin }: StackInput['site']): string {
  return admin.email ?? `${admin.user}@localhost`;
}

/**
 * Renders the settings of Open WebUI: the signing key, the administrator, and the relay's base URLs of
 * hosted models. Open WebUI creates the administrator before it serves its first request, if it has no
 * user yet.
 */
export function renderUi(input: StackInput): RenderedFile[] {
  const { site, secrets } = input;
  const content = envFile({
    WEBUI_SECRET_KEY: secrets.WEBUI_SECRET_KEY ?? '',
    WEBUI_ADMIN_EMAIL: administratorEmail(site),
    WEBUI_ADMIN_PASSWORD: secrets.WEBUI_ADMIN_PASSWORD ?? '',
    WEBUI_ADMIN_NAME: site.admin.user,
    ...hostedModels(input),
  });
  return [secretFile('ui/secrets.env', content, 'ui')];
}

/**
 * Maximum tokens of a response, including thinking. Without it Ollama stops after ten times the context
 * length, which takes hours on a few CPUs. Open WebUI also sends it to hosted models, and some reject a
 * value above their own maximum, so it is set only on servers without hosted models.
 */
const localBounds = { max_tokens: 8192 };

/**
 * Returns the variables of hosted models, for providers whose key is set. Open WebUI needs one key per
 * base URL, each list in one variable (docs.openwebui.com, OPENAI_API_BASE_URLS).
 */
function hostedModels({ site, secrets }: StackInput): Record<string, string> {
  const providers = Object.keys(site.providers).filter((name) => secrets[providerKeyName(name)]);
  if (providers.length === 0) {
    return { ENABLE_OPENAI_API: 'False', DEFAULT_MODEL_PARAMS: JSON.stringify(localBounds) };
  }
  return {
    ENABLE_OPENAI_API: 'True',
    OPENAI_API_BASE_URLS: providers.map((name) => `${relayBase(name)}/v1`).join(';'),
    OPENAI_API_KEYS: providers.map(() => secrets.RELAY_KEY_UI ?? '').join(';'),
  };
}
