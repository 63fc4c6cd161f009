import type { ClientApi } from '#clients/client.ts';
import { modelsOf } from '#contract/known-providers.ts';
import type { Site } from '#contract/site/site.ts';
import { isModelAllowed } from '../../../../relay/budget/terms.ts';

/** An API that the relay serves to a key. */
export interface ServedApi {
  /** What its base URL begins with. */
  readonly root: string;
  /** Undefined if no model is known that the key may use. */
  readonly model: string | undefined;
  /** Tokens of the context if the model is the chat model of this server. */
  readonly context: number | undefined;
}

export interface LocalModel {
  readonly name: string;
  readonly context: number;
}

/** What decides about the APIs besides the site. */
interface Choice {
  /** The URL of the relay, without a path. */
  readonly origin: string;
  /** The chat model of this server, and the tokens of its context. */
  readonly local: LocalModel | undefined;
  /** The limits of the key. */
  readonly providers?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
}

/**
 * Returns the APIs that the relay serves to a key, each with a model that it may use. A model of this
 * server comes first: it costs nothing, and its prompts stay here.
 */
export function servedApis(
  { providers, relay }: Pick<Site, 'providers' | 'relay'>,
  { origin, local, providers: allowed, models }: Choice,
): Partial<Record<ClientApi, ServedApi>> {
  const isAllowed = (provider: string) => allowed?.includes(provider) ?? true;
  const names = relay.local === true && isAllowed('local') ? namesOf(local) : undefined;
  const served = (root: string, known: readonly string[]): ServedApi => {
    const exact = models?.filter((name) => !name.endsWith('*') && !name.startsWith('/')) ?? [];
    const model = [...known, ...exact].find(
      (name) => models === undefined || isModelAllowed(models, name),
    );
    const isLocal = names !== undefined && model !== undefined && model === local?.name;
    return { root, model, context: isLocal ? local?.context : undefined };
  };
  const hosted = Object.entries(providers).filter(([name]) => isAllowed(name));
  const find = (wanted: ClientApi): ServedApi | undefined => {
    const ofApi = hosted.filter(([, { api = 'openai' }]) => api === wanted);
    const known = ofApi.flatMap(([name, settings]) => modelsOf(name, settings));
    const [[first] = []] = ofApi;
    if (wanted === 'openai') {
      return first || names ? served(origin, [...(names ?? []), ...known]) : undefined;
    }
    if (first) return served(`${origin}/${first}`, known);
    return names && wanted !== 'gemini' ? served(`${origin}/local`, names) : undefined;
  };
  const apis = (['openai', 'anthropic', 'gemini', 'ollama'] as const).map(
    (api) => [api, find(api)] as const,
  );
  return Object.fromEntries(apis.filter(([, found]) => found !== undefined));
}

function namesOf(local: LocalModel | undefined): string[] {
  return local ? [local.name] : [];
}
