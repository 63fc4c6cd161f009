import { parseModelName, shortModelName } from '#contract/bundle/model-name.ts';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { runsRelay } from '#contract/site/chosen-images.ts';
import { servedHosts } from '#contract/site/served-hosts.ts';
import { serviceNames } from '../../host/download/route-environment.ts';
import { envFile } from '../env-file.ts';
import { limitsOf } from '../limits.ts';
import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/** What Compose fills into `compose.yaml`. Nothing in it is secret: `docker inspect` shows it. */
export function renderEnvironment(
  input: StackInput,
  hashes: Readonly<Record<string, string>>,
): RenderedFile {
  return plainFile(
    '.env',
    `# Made by landfall for this site. Changes here are overwritten; change the site instead.\n${envFile(
      {
        COMPOSE_PROJECT_NAME: 'landfall',
        COMPOSE_PROFILES: profilesOf(input).join(','),
        LANDFALL_RELEASE: input.release,
        OLLAMA_KEEP_ALIVE: input.site.variables.OLLAMA_KEEP_ALIVE ?? '24h',
        ...uiVariables(input),
        ...portVariables(input),
        ...limitVariables(input),
        ...hashVariables(hashes),
      },
    )}`,
  );
}

/** The optional services that run all the time. */
function profilesOf({ site }: StackInput): string[] {
  const { chat, lobe } = site.components;
  return [runsRelay(site) ? 'relay' : '', chat ? 'chat' : '', lobe ? 'lobe' : ''].filter(Boolean);
}

function uiVariables({ site, server, models }: StackInput): Record<string, string> {
  const scheme = site.tls.mode === 'off' ? 'http' : 'https';
  const names = servedHosts(site).ui ? [servedHosts(site).ui] : (server.addresses ?? []);
  const origins = names.map((name) => `${scheme}://${name?.includes(':') ? `[${name}]` : name}`);
  const tunnel = ['localhost', '127.0.0.1'].map((name) => `http://${name}:${site.ports.ui}`);
  return {
    WEBUI_URL: origins[0] ?? '',
    // With no name and no known address, any origin: a list without the right one locks all out.
    UI_ORIGINS: origins.length > 0 ? [...origins, ...tunnel].join(';') : '*',
    UI_SECURE_COOKIES: scheme === 'https' ? 'True' : 'False',
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

function portVariables({ site: { ports } }: StackInput): Record<string, string> {
  return Object.fromEntries(
    Object.entries(ports).map(([name, port]) => [`${name.toUpperCase()}_PORT`, `${port}`]),
  );
}

function limitVariables({ server }: StackInput): Record<string, string> {
  const limits = limitsOf(server);
  return Object.fromEntries(
    serviceNames.flatMap((name) => {
      const { memory, cpus, pids } = limits[name];
      const prefix = name.toUpperCase();
      return [
        [`${prefix}_MEMORY`, `${memory}`],
        [`${prefix}_CPUS`, `${cpus}`],
        [`${prefix}_PIDS`, `${pids}`],
      ];
    }),
  );
}

function hashVariables(hashes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(hashes).map(([name, hash]) => [`${name.toUpperCase()}_CONFIGURATION`, hash]),
  );
}
