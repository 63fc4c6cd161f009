import type { ReleaseModel } from '#contract/bundle/release.ts';
import { originOf } from '#contract/site/endpoints.ts';
import { servedHosts } from '#contract/site/served-hosts.ts';
import { documentLimits } from '../../document-limits.ts';
import { listedName } from '../../local-models.ts';
import type { StackInput } from '../../stack-input.ts';

/** Returns Open WebUI's variables of `compose.yaml`. */
export function uiVariables({ site, server, models }: StackInput): Record<string, string> {
  const { ui } = servedHosts(site);
  const names = ui ? [ui] : (server.addresses ?? []);
  const origins = names.map((name) => originOf(site, name));
  const tunnel = ['localhost', '127.0.0.1'].map((name) => `http://${name}:${site.ports.ui}`);
  return {
    WEBUI_URL: origins[0] ?? '',
    // Without a name or a known address, allow any origin: a list without the right one locks out users.
    UI_ORIGINS: origins.length > 0 ? [...origins, ...tunnel].join(';') : '*',
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

/**
 * Returns the variables of document search: a model of the release in Ollama. Without one, Open WebUI
 * uses the model in its image, which takes another 500 MB of memory.
 */
function embeddingVariables(model: ReleaseModel | undefined): Record<string, string> {
  return model
    ? { UI_EMBEDDING_ENGINE: 'ollama', UI_EMBEDDING_MODEL: listedName(model) }
    : { UI_EMBEDDING_ENGINE: '', UI_EMBEDDING_MODEL: modelInImage };
}

/** Included in Open WebUI's image, except for the slim variant. */
const modelInImage = 'sentence-transformers/all-MiniLM-L6-v2';
