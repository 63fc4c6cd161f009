import type { RelayEnv } from './env.ts';
import { type Format, type Match, matchEndpoint } from './formats/format.ts';
import { ollama } from './formats/ollama.ts';
import { hub } from './formats/openai.ts';
import { formats } from './formats/request-format.ts';
import type { ClientKey } from './key-usage.ts';
import type { Provider } from './provider.ts';
import type { Refusal } from './refusal.ts';

/** Name of the inference engine of the server in keys, logs and paths. */
export const localName = 'local';

/** `/<provider>/…`. The hub has no version in its path. */
const namedPattern =
  /^\/(?:([a-z][a-z0-9-]{0,31})(?=\/(?:v1|v1beta|api)\/)|(hub)(?=\/models\/))(.*)$/;

/** A provider that may serve a request, and its endpoint. */
export interface Candidate extends Match {
  readonly provider: Provider;
}

/** Where a request may go. */
type Destination =
  /** Several: the model of the request decides. */
  | { readonly candidates: readonly [Candidate, ...Candidate[]] }
  /** The relay lists the models of these providers itself. */
  | { readonly listed: readonly Provider[] };

/** Returns the providers that serve a path and that the client may use. */
export function findDestination(
  method: string,
  pathname: string,
  client: Pick<ClientKey, 'providers' | 'terms'>,
  env: Pick<RelayEnv, 'providers' | 'hub'>,
): Destination | Refusal {
  const [, named, isHub, path = pathname] = namedPattern.exec(pathname) ?? [];
  const name = named ?? isHub;
  const all = name === undefined ? [...env.providers.values()] : providersNamed(name, path, env);
  if (all.length === 0) {
    const isKnown = allFormats.some((format) => matchEndpoint(format, path));
    return { refused: isKnown ? 'relay_provider_unknown' : 'relay_path_unknown' };
  }
  const serving = all.flatMap((provider) => candidateOf(provider, path));
  const isLimited = client.terms?.models !== undefined;
  const isList =
    path === '/v1/models' && (name === undefined || isLimited || all.some(hasMoreLists));
  if (serving.length === 0 && !isList) return { refused: 'relay_path_unknown' };
  const allow = serving[0]?.endpoint.method ?? 'GET';
  if (allow !== (method === 'HEAD' ? 'GET' : method))
    return { refused: 'relay_method_not_allowed', headers: { allow } };
  const mayUse = (provider: Provider) => client.providers?.has(provider.name) ?? true;
  const listed = isList ? all.filter(mayUse) : [];
  const [one, ...more] = serving.filter(({ provider }) => mayUse(provider));
  // A provider alone answers with its own list, which is OpenAI's except for Gemini's.
  const isOwn = listed.length === 1 && listed[0]?.format !== formats.gemini;
  if (listed.length > 0 && (!isOwn || isLimited || listed.some(hasMoreLists))) return { listed };
  if (one === undefined) return { refused: 'relay_provider_forbidden' };
  return { candidates: [one, ...more] };
}

function hasMoreLists({ listUrls = [] }: Provider): boolean {
  return listUrls.length > 0;
}

const allFormats: readonly Format[] = [...Object.values(formats), ollama, hub];

function providersNamed(
  name: string,
  path: string,
  env: Pick<RelayEnv, 'providers' | 'hub'>,
): Provider[] {
  const provider = path.startsWith('/models/') ? env.hub : env.providers.get(name);
  return provider ? [provider] : [];
}

function candidateOf(provider: Provider, path: string): Candidate[] {
  const match = matchEndpoint(provider.format, path);
  return match ? [{ provider, ...match }] : [];
}
