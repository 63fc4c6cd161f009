import { concatBytes } from '#contract/text/bytes.ts';
import { type JsonLimits, parseJson } from '#contract/text/json.ts';
import type { Cost } from '../formats/cost.ts';
import { fieldsOf } from '../redact/redaction.ts';
import type { Refusal } from '../refusal.ts';
import { checkFields, valueAt } from './check-fields.ts';
import { maxBinaryTokens, tokensOfBytes, tokensOfJson } from './estimate.ts';
import type { Want } from './ledger.ts';
import { membersOf, withMember } from './members.ts';

/** A body that was read. */
export interface Payload {
  readonly body: Uint8Array;
  /** The body without the field that the relay added; undefined if it added none. */
  readonly original: Uint8Array | undefined;
}

/** What the body of a request says about its cost. */
export interface CountedRequest {
  /** Undefined for a body without a model. */
  readonly model: string | undefined;
  /** Undefined for a body that is not read. */
  readonly payload: Payload | undefined;
  /** Whether the relay asked for usage that the client did not ask for. */
  readonly hidesUsage: boolean;
  /** Estimated tokens of the prompt. */
  readonly prompt: number;
  /** Tokens to hold before the request is sent. */
  readonly want: Want;
  /** Whether the client limits the answer. Other streams end when the budget is used up. */
  readonly isLimited: boolean;
  /** Whether the answer is text of a model. */
  readonly hasText: boolean;
}

/** Bodies that are read are held in memory, so they have a limit of their own, in bytes. */
export const maxRead = 8 * 2 ** 20;
/** Tokens of an answer whose request has no limit. */
const defaultAnswer = 4096;
/** What fits into the memory of the relay when it is parsed. */
const maxStructure: JsonLimits = { depth: 100, values: 500_000 };

/** Returns whether a body is JSON by its type. `curl -d` sends the type of a form. */
export function isJsonType(type: string): boolean {
  return type === '' || /[/+]json\b|x-www-form-urlencoded|^text\/plain/i.test(type);
}

/**
 * Reads a JSON body.
 * @param limit bytes
 * @param take returns whether memory is available
 */
export async function readBody(
  body: ReadableStream<Uint8Array>,
  limit: number,
  take: (bytes: number) => boolean,
): Promise<Uint8Array | Refusal> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > limit) return { refused: 'relay_body_too_large' };
      if (!take(chunk.length)) return { refused: 'relay_busy', headers: { 'retry-after': '1' } };
      chunks.push(chunk);
    }
  } catch {
    // The client has left, or its body is too large.
    return invalid;
  }
  return concatBytes(...chunks);
}

/**
 * Returns what a body costs.
 * @param addsUsage whether to ask the provider for the usage of a stream
 */
export function countRequest(
  body: Uint8Array,
  cost: Cost,
  addsUsage: boolean,
): CountedRequest | Refusal {
  const text = new TextDecoder().decode(body);
  const value = parseJson(text, maxStructure);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid;
  const members = membersOf(text);
  const refusal = checkFields(text, members, cost);
  if (refusal) return refusal;

  const { model, stream, stream_options: options } = value as Readonly<Record<string, unknown>>;
  const prompt = cost.counts === 'nothing' ? 0 : tokensOfJson(value, body.length);
  const asksUsage = fieldsOf(options).include_usage === true;
  const adds = addsUsage && stream === true && !asksUsage && cost.hasStreamOptions;
  const withUsage = () => {
    const usage = { ...fieldsOf(options), include_usage: true };
    return new TextEncoder().encode(withMember(text, members, 'stream_options', usage));
  };
  return {
    model: typeof model === 'string' ? model : undefined,
    payload: adds ? { body: withUsage(), original: body } : { body, original: undefined },
    hidesUsage: adds,
    prompt,
    ...wantOf(value, cost, prompt),
  };
}

const invalid: Refusal = { refused: 'relay_request_invalid' };

/** A request without a budget of tokens. */
export const uncountedRequest: CountedRequest = {
  model: undefined,
  payload: undefined,
  hidesUsage: false,
  prompt: 0,
  want: { least: 0, most: 0 },
  isLimited: true,
  hasText: false,
};

/** Returns what a body costs that is not JSON. @param length bytes; NaN if unknown */
export function countBinary(length: number): CountedRequest {
  const tokens = tokensOfBytes(length);
  const prompt = tokens < maxBinaryTokens ? tokens : maxBinaryTokens;
  const all = prompt + defaultAnswer;
  return {
    ...uncountedRequest,
    prompt,
    want: { least: all, most: all },
    hasText: true,
  };
}

function wantOf(
  body: object,
  { counts, limits, answers, streams }: Cost,
  prompt: number,
): Pick<CountedRequest, 'want' | 'isLimited' | 'hasText'> {
  if (counts !== 'answer')
    return { want: { least: prompt, most: prompt }, isLimited: true, hasText: false };
  const max = limits.map((path) => valueAt(body, path));
  const isLimited = max.some(isCount);
  const longest = Math.max(isLimited ? 0 : defaultAnswer, ...max.map(toCount));
  const count = Math.max(1, ...answers.map((path) => toCount(valueAt(body, path))));
  const most = prompt + Math.min(count * longest, 2 ** 50);
  const stream = valueAt(body, 'stream');
  const isStream =
    streams === 'always' || stream === true || (streams === 'default' && stream === undefined);
  // A stream without a limit can be ended early, so it may begin with less.
  const mayEnd = !isLimited && isStream;
  return { want: { least: mayEnd ? prompt + 1 : most, most }, isLimited, hasText: true };
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

/** Returns a number in any spelling that a provider may accept. It can raise a cost, but not limit it. */
function toCount(value: unknown): number {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0;
  return number > 0 ? Math.ceil(number) : 0;
}
