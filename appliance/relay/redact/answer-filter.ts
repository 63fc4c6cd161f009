import { parseJson } from '#contract/text/json.ts';
import { GrowingBytes, LineSplitter } from '../growing-bytes.ts';
import {
  bytesOf,
  charactersOf,
  type Filter,
  isErrorBody,
  joined,
  nothing,
  perKey,
  spellingsOf,
  star,
  withoutAccount,
} from './redaction.ts';

/**
 * Returns the filter of a response body. It removes the provider's key everywhere. From errors it also
 * removes every key and every account identifier. Some providers send errors with status 200 or in the
 * middle of a stream.
 * @param type content type of the response; may be empty
 * @param key the provider's key
 */
export function answerFilter(type: string, key: string): Filter {
  const hideKey = new HideKey(key);
  const hideAccount = accountFilter(type, key);
  if (!hideAccount) return hideKey;
  return {
    push: (chunk) => hideAccount.push(hideKey.push(chunk)),
    end: () => joined(hideAccount.push(hideKey.end()), hideAccount.end()),
  };
}

function accountFilter(type: string, key: string): Filter | undefined {
  const [kind = ''] = type.toLowerCase().split(/\s*;/);
  if (/^(?:text\/event-stream|application\/(?:x-)?(?:ndjson|jsonl))$/.test(kind))
    return new HideInLines(key);
  return /^(?:|text\/plain|.*[/+]json)$/.test(kind) ? new HideInText(key) : undefined;
}

/** Maximum size of an error body, in bytes. */
const maxError = 64 * 1024;

/** Replaces each matched character by an asterisk, so that the length stays the same. */
function starred(text: string, key: string): string {
  return withoutAccount(text, key, (found) => '*'.repeat(found.length));
}

/**
 * Filters a body that may be one JSON value. Holds it until it is complete, or too long for an error.
 * A body that does not begin with `{` is filtered by line.
 */
export class HideInText implements Filter {
  readonly #key: string;
  readonly #lines: HideInLines;
  readonly #held = new GrowingBytes();
  #kind: 'unknown' | 'object' | 'value' | 'lines' | 'long' = 'unknown';

  constructor(key: string) {
    this.#key = key;
    this.#lines = new HideInLines(key);
  }

  push(chunk: Uint8Array): Uint8Array {
    if (this.#kind === 'unknown') {
      const first = chunk.find((byte) => !isSpace(byte));
      // Some providers send whitespace to keep the connection open.
      if (first === undefined) return chunk;
      this.#kind = first === brace ? 'object' : 'lines';
    }
    if (this.#kind === 'long') return chunk;
    if (this.#kind === 'lines') return this.#lines.push(chunk);
    this.#held.push(chunk);
    if (this.#held.length > maxError) this.#kind = 'long';
    // Only once: a provider may send each line of a value in a chunk of its own.
    if (this.#kind === 'object' && chunk.includes(newline)) this.#kind = this.#kindOfObject();
    if (this.#kind === 'lines') return this.#lines.push(this.#held.take());
    return this.#kind === 'long' ? this.#held.take() : nothing;
  }

  end(): Uint8Array {
    if (this.#kind === 'lines') return this.#lines.end();
    const bytes = this.#held.take();
    const text = charactersOf(bytes);
    return errorSigns.test(text) && isErrorBody(text) ? bytesOf(starred(text, this.#key)) : bytes;
  }

  /** Some streams of JSON lines have the content type of a single value. */
  #kindOfObject(): 'object' | 'value' | 'lines' {
    const held = this.#held.view;
    const end = held.indexOf(newline, held.indexOf(brace));
    if (end < 0) return 'object';
    return parseJson(charactersOf(held.subarray(0, end))) === undefined ? 'value' : 'lines';
  }
}

/** Matches every error format. A JSON string may escape letters, such as `\\u0065`. */
const errorSigns = /error|base_resp|"code"|\\u/;

const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const brace = 0x7b;
const newline = 0x0a;

/**
 * Filters a stream of lines: server-sent events, or one JSON value per line. Holds each line until it
 * is complete. Clients cannot use a partial line, so this adds no delay.
 */
export class HideInLines implements Filter {
  readonly #key: string;
  /** A longer line is no error. */
  readonly #lines = new LineSplitter(maxError);
  #event = '';

  constructor(key: string) {
    this.#key = key;
  }

  push(chunk: Uint8Array): Uint8Array {
    const { lines, isInside, long } = this.#lines.push(chunk);
    return joined(this.#judged(lines, isInside), long);
  }

  end(): Uint8Array {
    const { lines, isInside } = this.#lines.end();
    return this.#judged(lines, isInside);
  }

  #judged(bytes: Uint8Array, isInside: boolean): Uint8Array {
    if (bytes.length === 0) return bytes;
    const text = charactersOf(bytes);
    // Taking lines apart costs more than all else that is done with them.
    if (this.#event !== 'error' && !errorSigns.test(text)) return bytes;
    // The rest of a line that was already partly sent is not an error.
    const begun = isInside ? text.indexOf('\n') + 1 : 0;
    const lines = text.slice(begun).split(/(?<=\n)/);
    const checked = lines.map((line) => (this.#isError(line) ? starred(line, this.#key) : line));
    const changed = text.slice(0, begun) + checked.join('');
    return changed === text ? bytes : bytesOf(changed);
  }

  #isError(line: string): boolean {
    const [, field, value = ''] = /^(event|data): ?(.*?)\r?\n?$/.exec(line) ?? [];
    if (field === 'event') this.#event = value;
    else if (line.trim() === '') this.#event = '';
    if (field === 'event') return false;
    if (field === 'data' && this.#event === 'error') return true;
    const text = field ? value : line;
    // Parsing takes microseconds per line, and a provider may send a million lines.
    return text.trimStart().startsWith('{') && errorSigns.test(text) && isErrorBody(text);
  }
}

const spellingBytes = perKey((key) => spellingsOf(key).map(bytesOf));

/**
 * Replaces the provider's key in a body by asterisks, also where it spans several chunks. Holds back
 * only bytes that may be the start of the key, and never the end of a line.
 */
class HideKey implements Filter {
  readonly #spellings: readonly Uint8Array[];
  #held: Uint8Array = nothing;

  constructor(key: string) {
    this.#spellings = spellingBytes(key);
  }

  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#hidden(joined(this.#held, chunk));
    const whole = bytes.length - this.#beginningAtEnd(bytes);
    this.#held = bytes.subarray(whole);
    return bytes.subarray(0, whole);
  }

  end(): Uint8Array {
    const last = this.#held;
    this.#held = nothing;
    return last;
  }

  #hidden(bytes: Uint8Array): Uint8Array {
    let changed = bytes;
    for (const spelling of this.#spellings) {
      let at = find(changed, spelling, 0);
      // The chunk may be shared with the reader.
      if (at >= 0 && changed === bytes) changed = bytes.slice();
      for (; at >= 0; at = find(changed, spelling, at + spelling.length))
        changed.fill(star, at, at + spelling.length);
    }
    return changed;
  }

  /** Returns how many of the last bytes may be the start of a key. */
  #beginningAtEnd(bytes: Uint8Array): number {
    const lengths = this.#spellings.map((spelling) => {
      let length = Math.min(spelling.length - 1, bytes.length);
      // The first byte rules out nearly all lengths.
      const isBeginning = () =>
        bytes[bytes.length - length] === spelling[0] &&
        isAt(bytes, spelling.subarray(0, length), bytes.length - length);
      while (length > 0 && !isBeginning()) length -= 1;
      return length;
    });
    return Math.max(0, ...lengths);
  }
}

function find(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  const [first = 0] = pattern;
  let at = bytes.indexOf(first, from);
  while (at >= 0 && !isAt(bytes, pattern, at)) at = bytes.indexOf(first, at + 1);
  return at;
}

function isAt(bytes: Uint8Array, pattern: Uint8Array, at: number): boolean {
  if (at + pattern.length > bytes.length) return false;
  // From the end: many words begin like a key.
  for (let n = pattern.length - 1; n >= 0; n -= 1) if (bytes[at + n] !== pattern[n]) return false;
  return true;
}
