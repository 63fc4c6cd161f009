import { isJsonType } from '../body.ts';
import type { Cost } from '../formats/cost.ts';
import { gemini } from '../formats/gemini.ts';
import { hub } from '../formats/openai.ts';
import type { ClientKey } from '../key-usage.ts';
import type { Body, Fields } from '../message.ts';
import type { BodyPool } from '../models/peek.ts';
import type { Provider } from '../provider.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Account } from './account.ts';
import { limitsTokens } from './budget.ts';
import type { Charge } from './charge.ts';
import {
  type CountedRequest,
  countBinary,
  countRequest,
  maxRead,
  readBody,
  uncountedRequest,
} from './request.ts';
import type { Payload } from './send-payload.ts';
import { isModelAllowed, isPathAllowed } from './terms.ts';

/** A request to a model, before it is counted. */
interface Uncounted {
  readonly headers: Fields;
  readonly provider: Provider;
  readonly cost: Cost;
  /** Path after the version, without a query. */
  readonly rest: string;
  readonly body: Body | null;
  /** Whether the body is read in any case. */
  readonly isRead?: boolean;
}

/** A request whose cost is held. */
export interface Prepared {
  readonly payload: Payload | undefined;
  /** Undefined for a key without a budget. */
  readonly charge: Charge | undefined;
  /** Frees the memory of the body. */
  readonly drop: () => void;
}

/** What reads and counts requests. */
interface Counting {
  readonly account: Account | undefined;
  readonly pool: BodyPool;
  /** Fields that the provider has refused. */
  readonly refused: ReadonlySet<string>;
}

/**
 * Checks the model of a request and holds its cost. Reads the body only for a key with models or with
 * a budget of tokens, if keys may set only some of its fields, or with `isRead`. Call it for requests that run a model.
 */
export async function prepare(
  uncounted: Uncounted,
  client: ClientKey,
  { account, pool, refused }: Counting,
): Promise<Prepared | Refusal> {
  const countsTokens = account !== undefined && limitsTokens(account.budget);
  let held = 0;
  const take = (bytes: number) => {
    const isFree = pool.take(client.name, bytes);
    if (isFree) held += bytes;
    return isFree;
  };
  const drop = () => {
    pool.give(client.name, held);
    held = 0;
  };
  const counted = await count(uncounted, client, countsTokens, refused, take);
  const charge = isRefusal(counted) ? counted : await account?.reserve(counted);
  if (isRefusal(counted) || (charge && isRefusal(charge))) {
    drop();
    return isRefusal(counted) ? counted : (charge as Refusal);
  }
  return { payload: counted.payload(charge?.held ?? 0), charge, drop };
}

async function count(
  { headers, provider, cost, rest, body, isRead: isAsked = false }: Uncounted,
  { terms, limits }: ClientKey,
  countsTokens: boolean,
  refused: ReadonlySet<string>,
  take: (bytes: number) => boolean,
): Promise<CountedRequest | Refusal> {
  const models = terms?.models;
  if (!countsTokens && !models && !cost.fields && !isAsked) return uncountedRequest;
  const length = Number(headers.get('content-length') ?? Number.NaN);
  const isRead = body !== null && (!cost.hasFiles || isJsonType({ headers }));
  const read = isRead
    ? await readBody(body, Math.min(limits.body_bytes, maxRead), take, length || 0)
    : undefined;
  if (read && isRefusal(read)) return read;
  const counted = read ? countRequest(read, cost, countsTokens, refused) : countBinary(length);
  if (isRefusal(counted)) return counted;
  if (!countsTokens && !models) return { ...uncountedRequest, payload: counted.payload };
  if (!models) return counted;
  const model = modelInPath(provider, rest) ?? counted.model;
  const isAllowed =
    model === undefined ? isPathAllowed(models, rest) : isModelAllowed(models, model);
  if (isAllowed) return counted;
  const allowed = models.join(', ');
  return {
    refused: 'relay_model_forbidden',
    message: `permission denied: this key may use only ${allowed}`,
  };
}

/** Returns the model in the path of Gemini's API and of the hub; undefined for a path without one. */
function modelInPath({ format }: Provider, rest: string): string | undefined {
  const [, model] = /^\/models\/([^:]+)/.exec(rest) ?? [];
  return format === gemini || format === hub ? model : undefined;
}
