import { parseJson } from '#contract/text/json.ts';
import { isModelAllowed } from '../budget/terms.ts';
import { anthropic } from '../formats/anthropic.ts';
import type { Format } from '../formats/format.ts';
import { providerHeaders } from '../headers.ts';
import type { Provider, Send } from '../provider.ts';
import { readStart } from '../read-start.ts';

/** Milliseconds for which a list is used, and after which a failed one is requested again. */
const lifetime = 60_000;
/** Milliseconds. A request may wait for a list. */
const timeout = 3000;
/** Characters of the response, and models of a provider. Large providers have lists of 1 MB. */
export const maxList = 4 * 2 ** 20;
const maxModels = 5000;
/** Characters of a name. */
const maxName = 256;

interface List {
  /** Undefined when the provider did not return a list. */
  readonly names: ReadonlySet<string> | undefined;
  /** Milliseconds. */
  readonly until: number;
}

/**
 * The names of the models of each provider. Requested when they are needed, at most once a minute. A
 * provider that fails keeps its last list. Requests share no promise, which edge platforms forbid.
 */
export class ModelLists {
  readonly #send: Send;
  readonly #now: () => number;
  readonly #lists = new Map<string, List>();

  /** @param now monotonic clock, in milliseconds */
  constructor(send: Send, now: () => number = () => performance.now()) {
    this.#send = send;
    this.#now = now;
  }

  /** Returns the names of a provider; undefined if it has no list, or has not responded in time. */
  async namesOf(provider: Provider): Promise<ReadonlySet<string> | undefined> {
    const known = this.#lists.get(provider.name);
    if (known && known.until > this.#now()) return known.names;
    const until = this.#now() + lifetime;
    // Meanwhile other requests use the old list.
    if (known) this.#lists.set(provider.name, { ...known, until });
    const urls = [provider.baseUrl, ...(provider.listUrls ?? [])];
    const lists = await Promise.all(urls.map((url) => this.#request(provider, url)));
    const found = lists.filter((list) => list !== undefined);
    const names = found.length > 0 ? new Set(found.flatMap((list) => [...list])) : known?.names;
    this.#lists.set(provider.name, { names, until });
    return names;
  }

  async #request(provider: Provider, baseUrl: string): Promise<ReadonlySet<string> | undefined> {
    const { format, key, keyless } = provider;
    if (!format.models || (key === undefined && !keyless)) return undefined;
    try {
      const answer = await this.#send(`${baseUrl}${format.models.path}`, {
        method: 'GET',
        headers: providerHeaders({ get: () => null }, provider, false),
        body: null,
        signal: AbortSignal.timeout(timeout),
      });
      const text = await readStart(answer.body, maxList);
      if (answer.status !== 200) return undefined;
      const value = parseJson(text);
      if (typeof value !== 'object') return undefined;
      return new Set(format.models.names(value).filter(isName(key)).slice(0, maxModels));
    } catch {
      // Reported with the request itself, which goes to this provider or to another.
      return undefined;
    }
  }
}

/** A provider may quote its key anywhere. */
function isName(key: string | undefined): (name: unknown) => name is string {
  return (name): name is string =>
    typeof name === 'string' &&
    name.length > 0 &&
    name.length <= maxName &&
    !(key !== undefined && name.includes(key));
}

/**
 * Returns the list of providers, in the format of Anthropic's clients or else in OpenAI's; undefined if
 * none has one.
 * @param allowed models of the key; undefined for all
 */
export async function listModels(
  lists: ModelLists,
  providers: readonly Provider[],
  allowed: readonly string[] | undefined,
  format: Format,
): Promise<object | undefined> {
  const found = await Promise.all(
    providers.map(async (provider) => ({ provider, names: await lists.namesOf(provider) })),
  );
  if (found.every(({ names }) => names === undefined)) return undefined;
  const models = found.flatMap(({ provider: { name: owned_by }, names = [] }) =>
    [...names]
      .filter((id) => allowed === undefined || isModelAllowed(allowed, id))
      .map((id) => ({ id, owned_by })),
  );
  if (format !== anthropic) {
    const data = models.map((model) => ({ ...model, object: 'model', created: 0 }));
    return { object: 'list', data };
  }
  const data = models.map(({ id }) => ({
    ...{ type: 'model', id, display_name: id, created_at: '1970-01-01T00:00:00Z' },
  }));
  const [first, last] = [data[0]?.id ?? null, data.at(-1)?.id ?? null];
  return { data, has_more: false, first_id: first, last_id: last };
}
