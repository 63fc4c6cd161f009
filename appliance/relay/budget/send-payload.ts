import { concatBytes } from '#contract/text/bytes.ts';
import type { ProviderAnswer } from '../message.ts';
import type { Outgoing, Send } from '../provider.ts';
import { readStart } from '../read-start.ts';
import { withMember } from './members.ts';

/** A field that the relay adds to a request. */
export interface Addition {
  /** Such as `generationConfig.maxOutputTokens`. */
  readonly path: string;
  readonly value: unknown;
  /** For providers that refuse this field and name the other one. */
  readonly other?: Addition;
}

/** A body that was read: the text of an object. */
export interface Payload {
  readonly body: Uint8Array;
  /** The names of its members. */
  readonly names: ReadonlySet<string>;
  readonly added: readonly Addition[];
}

interface Sent {
  readonly answer: ProviderAnswer;
  /** Whether the provider refused to limit the answer. */
  readonly isUnlimited: boolean;
}

type Chunks = readonly Uint8Array[];

/** Bytes that cost less to copy than to send apart. */
const small = 64 * 1024;
const brace = '{'.charCodeAt(0);
const encoder = new TextEncoder();
/** Characters of an error that are searched. */
const maxError = 64 * 1024;
/** Providers that check fields return 400; FastAPI and Mistral return 422. */
const refusing = new Set([400, 422]);

/**
 * Sends a request with a body that was read. What the relay adds never decides: when the provider
 * rejects the request, sends it again without the field that the error names, or else without additions.
 * @param refused receives the fields that the provider does not know
 */
export async function sendPayload(
  send: Send,
  url: string,
  outgoing: Outgoing,
  { body, names, added: all }: Payload,
  refused: Set<string>,
): Promise<Sent> {
  let added = all;
  const unknown: string[] = [];
  for (;;) {
    const answer = await send(
      url,
      withBody(outgoing, added.length === 0 ? [body] : bodyWith(body, added, names)),
    );
    if (added.length === 0 || !refusing.has(answer.status)) {
      if (answer.status < 400) for (const path of unknown) refused.add(path);
      return { answer, isUnlimited: all.some(isLimit) && !added.some(isLimit) };
    }
    const error = await readStart(answer.body, maxError);
    const named = added.find((addition) => isNamed(addition, error));
    const { other } = named ?? {};
    const isRenamed = other !== undefined && error.includes(other.path);
    if (named && (isRenamed || named.path === usagePath)) unknown.push(named.path);
    const rest = added.filter((addition) => addition !== named);
    added = !named ? [] : isRenamed ? [...rest, other] : rest;
  }
}

/** The path of the field that asks for the usage of a stream. */
export const usagePath = 'stream_options';

const isLimit = ({ path }: Addition) => path !== usagePath;

function isNamed({ path }: Addition, error: string): boolean {
  if (path === usagePath) return /stream_options|include_usage/.test(error);
  // A limit may also be too high for the model, or for what its context has left.
  return /max\w*tokens|num_predict|context|too (?:large|long)/i.test(error);
}

/** Returns a body with additions. Only members at the front need no copy of the rest. */
function bodyWith(
  body: Uint8Array,
  added: readonly Addition[],
  names: ReadonlySet<string>,
): Chunks {
  const isNew = ({ path }: Addition) => !path.includes('.') && !names.has(path);
  if (added.every(isNew)) {
    const begin = body.indexOf(brace) + 1;
    const members = added.map(({ path, value }) => `"${path}":${JSON.stringify(value)}`);
    const separator = names.size > 0 ? ',' : '';
    const front = encoder.encode(`${members.join(',')}${separator}`);
    return [body.subarray(0, begin), front, body.subarray(begin)];
  }
  const text = new TextDecoder().decode(body);
  const changed = added.reduce((json, { path, value }) => withMember(json, path, value), text);
  return [encoder.encode(changed)];
}

function withBody(outgoing: Outgoing, chunks: Chunks): Outgoing {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const headers = { ...outgoing.headers, 'content-length': `${length}` };
  const [only, ...more] = chunks;
  // One write for most requests.
  const joined = more.length === 0 ? only : length <= small ? concatBytes(...chunks) : undefined;
  const body = joined ?? bodyOf(chunks);
  return { ...outgoing, headers, body };
}

async function* bodyOf(chunks: Chunks): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
