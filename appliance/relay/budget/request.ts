import { concatBytes } from '#contract/text/bytes.ts';
import { parseJson } from '#contract/text/json.ts';
import { fieldsOf } from '../redact/redaction.ts';
import type { Refusal } from '../refusal.ts';
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
/** Endpoints that run no model. */
const free = /\/(?:input_tokens|count_tokens|moderations|show)$|:countTokens$/;
/** Endpoints whose answers have no text of a model. */
const withoutText = /\/(?:embeddings|embed)$|:(?:embedContent|batchEmbedContents)$/;
const streamable = /\/(?:chat\/)?completions$/;
/** Fields that are read. A server may accept them in other spellings, or use another one of two. */
const readFields = new Set([
  'model',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'n',
  'best_of',
]);

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
  endpoint: string,
  addsUsage: boolean,
): CountedRequest | Refusal {
  const text = new TextDecoder().decode(body);
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid;
  const members = membersOf(text);
  const names = members.map(({ name }) => name);
  const spellings = names.map(foldName).filter((name) => readFields.has(name));
  if (new Set(spellings).size < spellings.length) return invalid;
  if (spellings.some((name) => !names.includes(name))) return invalid;

  const fields = fieldsOf(value);
  const { model, stream, stream_options: options } = fields;
  const prompt = free.test(endpoint) ? 0 : tokensOfJson(value, body.length);
  const asksUsage = fieldsOf(options).include_usage === true;
  const adds = addsUsage && stream === true && !asksUsage && streamable.test(endpoint);
  const withUsage = () => {
    const usage = { ...fieldsOf(options), include_usage: true };
    return new TextEncoder().encode(withMember(text, members, 'stream_options', usage));
  };
  return {
    model: typeof model === 'string' ? model : undefined,
    payload: adds ? { body: withUsage(), original: body } : { body, original: undefined },
    hidesUsage: adds,
    prompt,
    ...wantOf(fields, endpoint, prompt),
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

/** Go matches the names of fields without case, also that of a long s. */
function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

function wantOf(
  fields: Readonly<Record<string, unknown>>,
  endpoint: string,
  prompt: number,
): Pick<CountedRequest, 'want' | 'isLimited' | 'hasText'> {
  if (free.test(endpoint) || withoutText.test(endpoint))
    return { want: { least: prompt, most: prompt }, isLimited: true, hasText: false };
  const { generationConfig, options } = fields;
  const max = [
    fields.max_tokens,
    fields.max_completion_tokens,
    fields.max_output_tokens,
    fieldsOf(generationConfig).maxOutputTokens,
    fieldsOf(options).num_predict,
  ].filter(isCount);
  const answers = [fields.n, fields.best_of, fieldsOf(generationConfig).candidateCount];
  const count = Math.max(1, ...answers.filter(isCount));
  const isLimited = max.length > 0;
  const answer = Math.min(count * (isLimited ? Math.max(...max) : defaultAnswer), 2 ** 50);
  // A stream without a limit can be ended early, so it may begin with less.
  const mayEnd = !isLimited && isStream(fields, endpoint);
  const most = prompt + answer;
  return { want: { least: mayEnd ? prompt + 1 : most, most }, isLimited, hasText: true };
}

function isStream({ stream }: Readonly<Record<string, unknown>>, endpoint: string): boolean {
  // Ollama streams by default.
  return (
    stream === true ||
    /:streamGenerateContent$/.test(endpoint) ||
    (stream === undefined && /^\/api\/(?:chat|generate)$/.test(endpoint))
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0;
}
