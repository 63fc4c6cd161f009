import { providerKeyName } from '#contract/site/provider-key-name.ts';
import { envFile } from '../../env-file.ts';
import { type RenderedFile, secretFile } from '../../rendered-file.ts';
import type { StackInput } from '../../stack-input.ts';
import { relayBase } from '../relay/base.ts';

/** The name that the UI's administrator signs in with. */
export function administratorEmail({ admin }: StackInput['site']): string {
  return admin.email ?? `${admin.user}@localhost`;
}

/**
 * What Open WebUI reads at its start: the signing key, the administrator that it makes while there is
 * no user yet, before it answers its first request, and where hosted models are.
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
 * Maximum tokens of one answer, thinking included. Without it Ollama ends an answer after ten times the
 * context length, which takes hours on a few processors. Open WebUI also sends it to hosted models, and
 * some of these reject a value above their own maximum, so it is set only on servers without any.
 */
const localBounds = { max_tokens: 8192 };

/**
 * The providers whose keys are set, each at its path of the relay. Open WebUI wants as many keys as
 * addresses, both in one variable (docs.openwebui.com, OPENAI_API_BASE_URLS).
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
