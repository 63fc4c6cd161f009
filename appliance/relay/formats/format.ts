import type { Cost } from './cost.ts';

/** The `error` object of OpenAI's API. The other formats carry the same facts in their own shape. */
export interface ApiError {
  readonly message: string;
  readonly type: string | null;
  readonly param: string | null;
  readonly code: string | null;
}

/** A request that a provider serves. */
type Endpoint = {
  /** Matches the path after the root. */
  readonly path: RegExp;
} & (
  | {
      readonly method: 'GET';
      readonly cost?: undefined;
      /** Whether it lists models in `models`, each with its `name`. */
      readonly isNamedList?: true;
      readonly isCount?: undefined;
    }
  | {
      readonly method: 'POST';
      readonly cost: Cost;
      readonly isNamedList?: undefined;
      /** Whether the relay counts the tokens of the prompt itself. */
      readonly isCount?: true;
    }
);

/** Where a provider lists its models. */
interface ModelList {
  /** The path after the root, with its query. */
  readonly path: string;
  /** Returns the names in a list, which may be any JSON. */
  readonly names: (list: unknown) => readonly unknown[];
}

/** The API of a provider, and of the clients that use it. Requests pass, they are not translated. */
export interface Format {
  /** The starts of paths that the base URL of a provider replaces, such as `/v1`. One may be empty. */
  readonly roots: readonly string[];
  /**
   * The endpoints that the relay forwards: inference, and the list of models. Endpoints of the account
   * are excluded, because all keys share it.
   */
  readonly endpoints: readonly Endpoint[];
  /** Header in which clients send their key instead of `Authorization`. */
  readonly keyHeader?: string;
  /** Query parameter in which clients send their key. It is never forwarded. */
  readonly keyParameter?: string;
  /** Client headers that the provider receives besides those about the body. */
  readonly forwarded: readonly string[];
  /** Headers that the provider requires, for clients that send none. */
  readonly required?: Readonly<Record<string, string>>;
  /** Returns the headers with the key of the provider. */
  readonly keyHeaders: (key: string) => Readonly<Record<string, string>>;
  /** What a 400 contains that means a wrong key. Others have status 401. */
  readonly wrongKey?: string;
  /** Undefined for an API without a list. */
  readonly models?: ModelList;
  /** Statuses of refusals that clients of this API retry, and what the relay sends instead. */
  readonly statuses?: Readonly<Record<number, number>>;
  /** Returns the body of an error response. @param retryAfter seconds, if they are known */
  readonly errorBody: (status: number, error: ApiError, retryAfter?: number) => object;
}

/** Returns the key as a bearer token. */
export function bearerKey(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

/** An endpoint of a format that a path selects. */
export interface Match {
  readonly endpoint: Endpoint;
  /** The path after the root, as the client encoded it. */
  readonly rest: string;
}

/** Excludes query, fragment, and escapes besides those in names of models. */
const pathPattern = /^\/(?:[\w.:@/-]|%2[Ff]|%3[Aa]|%40){1,260}$/;

/**
 * Decodes the name of a model, because clients send `/models/org%2Fmodel`. Decodes once and only these
 * characters: the pattern of names then rejects dot segments and further escapes.
 */
export function decodedModel(path: string): string {
  if (!path.startsWith('/v1/models/')) return path;
  return path.replace(/%(?:2f|3a|40)/gi, (character) => decodeURIComponent(character));
}

/**
 * Returns the endpoint that a path selects. The path is checked as the provider decodes it.
 * @param path after the name of the provider, such as `/v1/models`
 */
export function matchEndpoint({ roots, endpoints }: Format, path: string): Match | undefined {
  if (!pathPattern.test(path)) return undefined;
  const plain = decodedModel(path);
  for (const { length } of roots.filter((root) => path.startsWith(root))) {
    const endpoint = endpoints.find((each) => each.path.test(plain.slice(length)));
    if (endpoint) return { endpoint, rest: path.slice(length) };
  }
  return undefined;
}
