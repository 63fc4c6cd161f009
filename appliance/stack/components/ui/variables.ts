import { parseModelName, shortModelName } from '#contract/bundle/model-name.ts';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { originOf } from '#contract/site/endpoints.ts';
import { servedHosts } from '#contract/site/served-hosts.ts';
import type { StackInput } from '../../stack-input.ts';

/** Returns what `compose.yaml` takes for Open WebUI. */
export function uiVariables({ site, server, models }: StackInput): Record<string, string> {
  const { ui } = servedHosts(site);
  const names = ui ? [ui] : (server.addresses ?? []);
  const origins = names.map((name) => originOf(site, name));
  const tunnel = ['localhost', '127.0.0.1'].map((name) => `http://${name}:${site.ports.ui}`);
  return {
    WEBUI_URL: origins[0] ?? '',
    // With no name and no known address, any origin: a list without the right one locks all out.
    UI_ORIGINS: origins.length > 0 ? [...origins, ...tunnel].join(';') : '*',
    UI_SECURE_COOKIES: site.tls.mode === 'off' ? 'False' : 'True',
    UI_DEFAULT_MODELS: models?.chat ? listedName(models.chat) : '',
    ...embeddingVariables(models?.embedding),
  };
}

/**
 * Where documents become searchable: in Ollama, with a model of the release. Without one Open WebUI
 * uses the model in its own image, which takes half a gigabyte of memory more.
 */
function embeddingVariables(model: ReleaseModel | undefined): Record<string, string> {
  return model
    ? { UI_EMBEDDING_ENGINE: 'ollama', UI_EMBEDDING_MODEL: listedName(model) }
    : { UI_EMBEDDING_ENGINE: '', UI_EMBEDDING_MODEL: modelInImage };
}

/** The name under which Ollama lists a model. */
function listedName({ name }: ReleaseModel): string {
  const parsed = parseModelName(name);
  return parsed ? shortModelName(parsed) : name;
}

/** Part of Open WebUI's image, except for its slim variant. */
const modelInImage = 'sentence-transformers/all-MiniLM-L6-v2';
