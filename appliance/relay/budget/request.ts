import { type JsonLimits, parseJson } from '#contract/text/json.ts';
import type { Cost } from '../formats/cost.ts';
import { GrowingBytes } from '../growing-bytes.ts';
import type { Body } from '../message.ts';
import { fieldsOf } from '../redact/redaction.ts';
import type { Refusal } from '../refusal.ts';
import type { Want } from './budget.ts';
import { checkFields, valueAt } from './check-fields.ts';
import { maxBinaryTokens, maxPromptTokens } from './estimate.ts';
import { membersOf, withoutOthers } from './members.ts';
import { type Addition, type Payload, usagePath } from './send-payload.ts';

/** What the body of a request says about its cost. */
export interface CountedRequest {
  /** Undefined for a body without a model. */
  readonly model: string | undefined;
  /**
   * Returns the body to send, with what the relay adds; undefined for a body that is not read.
   * @param held tokens that are held
   */
  readonly payload: (held: number) => Payload | undefined;
  /** Whether the relay asks for usage that the client did not ask for. */
  readonly hidesUsage: boolean;
  /** The most tokens of the prompt. */
  readonly prompt: number;
  /** Tokens to hold before the request is sent. */
  readonly want: Want;
  /** Whether the answer has one text. */
  readonly isSingle: boolean;
  /** Whether the answer is a stream that may be ended early. */
  readonly isStream: boolean;
  /** Whether the client or the relay limits the answer. */
  readonly isLimited: boolean;
  /** Whether the answer is text of a model. */
  readonly hasText: boolean;
}

/** Bodies that are read are held in memory, so they have a limit of their own, in bytes. */
export const maxRead = 8 * 2 ** 20;
/** Tokens of an answer whose request has no limit: what nearly all models can generate. */
const defaultAnswer = 8192;
/** The least limit of the relay, in tokens. OpenAI's responses accept no lower one. */
const minAnswer = 16;
/** What fits into the memory of the relay when it is parsed. */
const maxStructure: JsonLimits = { depth: 100, values: 500_000 };

/**
 * Reads a JSON body. Memory is taken as bytes arrive, not for the length that a client declares.
 * @param limit bytes
 * @param take returns whether memory is available, and takes it; a negative number gives it back
 * @param length bytes, if they are known
 */
export async function readBody(
  body: Body,
  limit: number,
  take: (bytes: number) => boolean,
  length = 0,
): Promise<Uint8Array | Refusal> {
  if (length > limit) return { refused: 'relay_body_too_large' };
  const read = new GrowingBytes(length || limit);
  let held = 0;
  try {
    for await (const chunk of body) {
      if (read.length + chunk.length > limit) return { refused: 'relay_body_too_large' };
      const size = read.sizeWith(chunk.length);
      if (!take(size - held)) return busy;
      held = size;
      read.push(chunk);
    }
  } catch {
    // The client has left, or its body is too large.
    return invalid;
  }
  // It waits for the provider.
  const all = read.takeExact();
  take(all.length - held);
  return all;
}

const busy: Refusal = { refused: 'relay_busy', headers: { 'retry-after': '1' } };

const decoder = new TextDecoder();

/**
 * Returns what a body costs.
 * @param countsTokens whether the key has a budget of tokens; otherwise nothing is added
 * @param refused fields that the provider has refused
 */
export function countRequest(
  body: Uint8Array,
  cost: Cost,
  countsTokens: boolean,
  refused: ReadonlySet<string> = new Set(),
): CountedRequest | Refusal {
  const text = decoder.decode(body);
  const value = parseJson(text, maxStructure);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid;
  const read = countsTokens ? cost : { ...cost, uncounted: [] };
  const members = membersOf(text);
  const refusal = checkFields(text, value, members, read);
  if (refusal) return refusal;

  const { model, stream, stream_options: options } = value as Readonly<Record<string, unknown>>;
  const prompt = cost.counts === 'nothing' ? 0 : maxPromptTokens(value, body.length);
  const asksUsage = fieldsOf(options).include_usage === true;
  const hidesUsage =
    countsTokens &&
    cost.hasStreamOptions &&
    stream === true &&
    !asksUsage &&
    !refused.has(usagePath);
  const usage = { path: usagePath, value: { ...fieldsOf(options), include_usage: true } };
  const { limitOf, ...wanted } = wantOf(value, cost, prompt, refused);
  const isKept = (name: string) => cost.fields?.names.has(name) ?? true;
  const names = new Set(members.map(({ name }) => name).filter(isKept));
  const kept = cost.fields ? new TextEncoder().encode(withoutOthers(text, cost.fields)) : body;
  return {
    model: typeof model === 'string' ? model : undefined,
    payload: (held) => ({
      body: kept,
      names,
      added: countsTokens ? [...(hidesUsage ? [usage] : []), ...limitOf(held)] : [],
    }),
    hidesUsage,
    prompt,
    ...wanted,
  };
}

const invalid: Refusal = { refused: 'relay_request_invalid' };

/** A request without a budget of tokens. */
export const uncountedRequest: CountedRequest = {
  model: undefined,
  payload: () => undefined,
  hidesUsage: false,
  prompt: 0,
  want: { least: 0, most: 0 },
  isSingle: true,
  isStream: false,
  isLimited: true,
  hasText: false,
};

/** Returns what a body costs that is not JSON. @param length bytes; NaN if unknown */
export function countBinary(length: number): CountedRequest {
  const prompt = length < maxBinaryTokens ? length : maxBinaryTokens;
  const all = prompt + defaultAnswer;
  return {
    ...uncountedRequest,
    prompt,
    want: { least: all, most: all },
    isLimited: false,
    hasText: true,
  };
}

type Wanted = Pick<CountedRequest, 'want' | 'isSingle' | 'isStream' | 'isLimited' | 'hasText'>;

interface Limited extends Wanted {
  /** Returns the fields that limit each answer to its share of the held tokens. */
  readonly limitOf: (held: number) => Addition[];
}

function wantOf(body: object, cost: Cost, prompt: number, refused: ReadonlySet<string>): Limited {
  const { counts, limits, isLimitable, answers, streams } = cost;
  const one = { isSingle: true, isStream: false, limitOf: () => [] };
  if (counts !== 'answer')
    return { ...one, want: { least: prompt, most: prompt }, isLimited: true, hasText: false };
  const given = limits.map((path) => valueAt(body, path) ?? undefined).filter(isGiven);
  const isLimited = given.length > 0 && given.every(isCount);
  const longest = Math.max(isLimited ? 0 : defaultAnswer, ...given.map(toCount));
  const count = Math.max(1, ...answers.map((path) => toCount(valueAt(body, path))));
  const most = prompt + Math.min(count * longest, 2 ** 50);
  const stream = valueAt(body, 'stream');
  const isStream =
    streams === 'always' || stream === true || (streams === 'default' && stream === undefined);
  // A stream can end early, so it may begin with less.
  const mayEnd = !isLimited && isStream;
  return {
    want: { least: mayEnd ? Math.min(prompt + count * minAnswer, most) : most, most },
    isSingle: count === 1,
    isStream,
    isLimited: isLimited || isLimitable,
    hasText: true,
    limitOf: (held) => {
      if (!isLimitable) return [];
      const share = Math.max(1, Math.floor((held - prompt) / count));
      return limitAdditions(body, cost, isLimited ? longest : share, refused);
    },
  };
}

const isGiven = (value: unknown) => value !== undefined;

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}

/** Returns a number in any spelling that a provider may accept. It can raise a cost, but not limit it. */
function toCount(value: unknown): number {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0;
  return number > 0 ? Math.ceil(number) : 0;
}

/** Returns the fields that make a provider obey a limit, unless the body has them. */
function limitAdditions(
  body: object,
  { limits, otherLimit }: Cost,
  limit: number,
  refused: ReadonlySet<string>,
): Addition[] {
  const given = limits.filter((path) => (valueAt(body, path) ?? undefined) !== undefined);
  const wrong = given.filter((path) => !isCount(valueAt(body, path)));
  if (wrong.length > 0) return wrong.map((path) => ({ path, value: limit }));
  const path = limits.find((each) => each.includes('.') && hasOuter(body, each)) ?? limits[0];
  // Providers differ in which of two fields they read: set the one that most of them do.
  const isEnough = otherLimit === undefined ? given.length > 0 : given.includes(path ?? '');
  if (path === undefined || isEnough) return [];
  if (otherLimit === undefined) return [{ path, value: limit }];
  const other = { path: otherLimit, value: limit };
  if (!refused.has(path)) return [{ path, value: limit, other }];
  return given.length === 0 ? [other] : [];
}

function hasOuter(body: object, path: string): boolean {
  return Object.hasOwn(body, path.slice(0, path.indexOf('.')));
}
