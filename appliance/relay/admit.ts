import { likelyChatModels } from '#contract/known-providers.ts';
import { authenticate, withoutKey } from './authenticate.ts';
import { type BoundedBody, boundedBody, isJsonType } from './body.ts';
import { type Account, accountOf, noteNetwork } from './budget/account.ts';
import type { Charge } from './budget/charge.ts';
import { type Prepared, prepare } from './budget/prepare.ts';
import type { Payload } from './budget/send-payload.ts';
import { isModelAllowed } from './budget/terms.ts';
import { type Candidate, findDestination } from './destination.ts';
import type { RelayEnv } from './env.ts';
import type { Format } from './formats/format.ts';
import { addressHeader } from './headers.ts';
import type { ClientKey } from './key-usage.ts';
import type { RelayRequest } from './message.ts';
import type { ListFilter } from './models/allowed-list.ts';
import { chooseProvider, modelInPath } from './models/choose-provider.ts';
import { mayExceed, refuseTooLong } from './models/local-context.ts';
import { peekModel } from './models/peek.ts';
import type { Provider } from './provider.ts';
import { isRefusal, keyRefusal, type Refusal } from './refusal.ts';

/** A request that may be answered, which holds a concurrency slot. */
export interface Admission {
  readonly client: ClientKey;
  /** Undefined for a client without a budget. */
  readonly account: Account | undefined;
  /** A request to forward, or the providers whose models the relay lists itself. */
  readonly target: Forwarding | { readonly listed: readonly Provider[] };
  /** Releases what the request holds. */
  readonly release: () => void;
}

/** A request to a provider. */
export interface Forwarding extends BoundedBody {
  /** A body that was read, instead of `body`. */
  readonly payload: Payload | undefined;
  /** Undefined for a request without a budget. */
  readonly charge: Charge | undefined;
  readonly provider: Provider;
  /** The path after the base URL of the provider, and its query. */
  readonly path: string;
  /** Whether the relay counts the tokens of the prompt itself. */
  readonly isCount: boolean;
  /** Undefined for a client that sees all models, and for what is no list. */
  readonly listFilter: ListFilter | undefined;
  /** Frees the memory of the body. Call it when the response begins. */
  readonly sent: () => void;
}

/** Receives the fields for the log. */
type Progress = (known: { key?: string; provider?: string; endpoint?: string }) => void;

/**
 * Checks a request by its headers: the key, the path, the providers, the declared size, and then the
 * limits. Limits come last, so that only requests that would be forwarded count. The body is read only
 * if its model decides between several providers, and only until the model is known.
 * @param format of the client
 * @param progress called after each check with the fields for the log
 */
export async function admit(
  request: RelayRequest,
  url: URL,
  format: Format,
  env: RelayEnv,
  progress: Progress,
): Promise<Admission | Refusal> {
  const client = authenticate(request, url, format, env.keys);
  if (isRefusal(client)) return client;
  progress({ key: client.name });
  const { expires = Infinity } = client.terms ?? {};
  if (env.budgets.now() >= expires) return { refused: 'relay_key_expired' };
  noteNetwork(client, request.headers.get(addressHeader), env.budgets);
  const account = accountOf(client, request.headers, env.budgets);
  const admission = await admitClient(request, url, client, account, env, progress);
  if (!isRefusal(admission)) return admission;
  return { ...admission, headers: { ...account?.headers(), ...admission.headers } };
}

async function admitClient(
  request: RelayRequest,
  url: URL,
  client: ClientKey,
  account: Account | undefined,
  env: RelayEnv,
  progress: Progress,
): Promise<Admission | Refusal> {
  const destination = findDestination(request.method, url.pathname, client, env);
  if (isRefusal(destination)) return destination;
  const [only, other] = 'candidates' in destination ? destination.candidates : [];
  progress({ endpoint: only?.rest ?? '/models' });
  if (only && !other) progress({ provider: only.provider.name });
  const asked =
    'listed' in destination ? destination.listed : destination.candidates.map(toProvider);
  if (asked.every(lacksKey)) return keyRefusal('provider_key_missing', asked[0]);
  if (url.search.length > maxQuery) return { refused: 'relay_request_invalid' };
  if (Number(request.headers.get('content-length') ?? 0) > client.limits.body_bytes)
    return { refused: 'relay_body_too_large' };
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') return unknownEncoding(encoding);
  const release = env.usage.take(client);
  if (typeof release !== 'function') return release;
  if ('listed' in destination) return { client, account, target: destination, release };
  const chosen = await choose(request, url.pathname, destination.candidates, client, env);
  if (isRefusal(chosen) || lacksKey(chosen.provider)) {
    release();
    if (isRefusal(chosen)) return chosen;
    chosen.drop();
    progress({ provider: chosen.provider.name, endpoint: chosen.rest });
    return keyRefusal('provider_key_missing', chosen.provider);
  }
  const { provider, rest, body, exceeded } = chosen;
  const { cost } = chosen.endpoint;
  progress({ provider: provider.name, endpoint: rest });
  const path = `${rest}${withoutKey(url.search, provider.format)}`;
  const refused = env.budgets.refusedBy(provider.name);
  const counting = { account, pool: env.pool, refused };
  const isCount = chosen.endpoint.isCount === true;
  const isLong = cost?.counts === 'answer' && mayExceed(provider, request.headers);
  const uncounted = { headers: request.headers, provider, rest, body, isRead: isCount || isLong };
  const prepared =
    cost && (client.terms || cost.fields || uncounted.isRead)
      ? await prepare({ ...uncounted, cost }, client, counting)
      : unprepared;
  const releaseAll = () => {
    chosen.drop();
    release();
  };
  if (isRefusal(prepared)) {
    releaseAll();
    return exceeded() ? { refused: 'relay_body_too_large' } : prepared;
  }
  const { payload, charge, drop } = prepared;
  const tooLong = isLong && payload ? refuseTooLong(provider, payload.body) : undefined;
  if (tooLong) {
    charge?.finish();
    drop();
    releaseAll();
    return tooLong;
  }
  return {
    client,
    account,
    target: {
      ...{ provider, path, body, exceeded, payload, charge, isCount, sent: drop },
      listFilter: listFilterOf(chosen, client),
    },
    release: () => {
      charge?.finish();
      drop();
      releaseAll();
    },
  };
}

const maxQuery = 2048;

function listFilterOf(
  { endpoint, rest }: Candidate,
  { terms, chatModels }: ClientKey,
): ListFilter | undefined {
  const { models } = terms ?? {};
  if (models && endpoint.isNamedList)
    return {
      field: 'models',
      seen: (names) => names.filter((name) => isModelAllowed(models, name)),
    };
  return chatModels && rest === '/models' ? { field: 'data', seen: likelyChatModels } : undefined;
}

function unknownEncoding(encoding: string): Refusal {
  const name = encoding.replace(/[^\w, .-]/g, '').slice(0, 32);
  const message = `unsupported Content-Encoding ${name}: send the body without compression`;
  return { refused: 'relay_encoding_unknown', message };
}

/** A request that is not counted. */
const unprepared: Prepared = { payload: undefined, charge: undefined, drop: () => {} };

const toProvider = ({ provider }: Candidate) => provider;

function lacksKey({ key, keyless }: Provider): boolean {
  return key === undefined && !keyless;
}

interface Chosen extends Candidate, BoundedBody {
  /** Frees the memory of a body that was read and not sent. */
  readonly drop: () => void;
}

/** Chooses between the providers that serve a path, by the model in the path or in a JSON body. */
async function choose(
  request: RelayRequest,
  pathname: string,
  candidates: readonly [Candidate, ...Candidate[]],
  client: ClientKey,
  env: RelayEnv,
): Promise<Chosen | Refusal> {
  const bounded = boundedBody(request, client.limits.body_bytes);
  const { body, exceeded } = bounded;
  const [first, second] = candidates;
  if (!second) return { ...first, ...bounded, drop: () => {} };
  const inPath = modelInPath(pathname);
  if (inPath !== undefined || body === null || !isJsonType(request))
    return { ...(await chooseProvider(candidates, inPath, env)), ...bounded, drop: () => {} };
  try {
    const peeked = await peekModel(body, env.pool, client.name);
    if (!peeked) return { refused: 'relay_busy', headers: { 'retry-after': '1' } };
    return { ...(await chooseProvider(candidates, peeked.model, env)), ...peeked, exceeded };
  } catch {
    // The client has left, or its body is too large.
    return { refused: exceeded() ? 'relay_body_too_large' : 'relay_request_invalid' };
  }
}
