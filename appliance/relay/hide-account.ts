import { parsed, tellsError } from './error-body.ts';
import { bytesOf, charactersOf, type Filter, joined, nothing } from './filter.ts';
import { withoutAccount } from './redaction.ts';

/** What is longer is no message about an error. Bytes. */
const longestError = 64 * 1024;

/** Puts stars in the place of each character of what was found, so that lengths stay. */
function starred(text: string, key: string): string {
  return withoutAccount(text, key, (found) => '*'.repeat(found.length));
}

/**
 * For a body that may be one JSON value. It is held until it is whole, or too long for an error. What
 * does not begin like one is taken for lines.
 */
export class HideInText implements Filter {
  readonly #key: string;
  readonly #lines: HideInLines;
  #held: Uint8Array = nothing;
  #kind: 'unknown' | 'value' | 'lines' | 'long' = 'unknown';

  constructor(key: string) {
    this.#key = key;
    this.#lines = new HideInLines(key);
  }

  push(piece: Uint8Array): Uint8Array {
    if (this.#kind === 'unknown') {
      const first = piece.find((byte) => !isSpace(byte));
      // Some providers send white space to keep a connection open.
      if (first === undefined) return piece;
      this.#kind = first === brace ? 'value' : 'lines';
    }
    if (this.#kind === 'long') return piece;
    if (this.#kind === 'lines') return this.#lines.push(piece);
    this.#held = joined(this.#held, piece);
    if (this.#held.length > longestError) this.#kind = 'long';
    return this.#kind === 'long' || this.#isWholeLine() ? this.end() : nothing;
  }

  end(): Uint8Array {
    if (this.#kind === 'lines') return this.#lines.end();
    const [bytes, text] = [this.#held, charactersOf(this.#held)];
    this.#held = nothing;
    return this.#kind === 'value' && tellsError(text) ? bytesOf(starred(text, this.#key)) : bytes;
  }

  /** Streams of JSON values do not always say that they are. */
  #isWholeLine(): boolean {
    return this.#held.at(-1) === newline && parsed(charactersOf(this.#held)) !== undefined;
  }
}

/** What every form of an error has. A JSON string may spell a letter as `\\u0065`. */
const mayTellError = /^\s*\{.*(?:error|base_resp|"code"|\\u)/;

const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
const brace = 0x7b;
const newline = 0x0a;

/**
 * For a stream of lines: server-sent events, or one JSON value a line. A line is held until it is
 * whole, which is when a client can use it.
 */
export class HideInLines implements Filter {
  readonly #key: string;
  #held: Uint8Array = nothing;
  /** In the middle of a line that is too long for an error. */
  #passing = false;
  #event = '';

  constructor(key: string) {
    this.#key = key;
  }

  push(piece: Uint8Array): Uint8Array {
    const bytes = joined(this.#held, piece);
    const whole = bytes.lastIndexOf(newline) + 1;
    const [lines, rest] = [bytes.subarray(0, whole), bytes.subarray(whole)];
    const passed = this.#judged(lines);
    if (whole > 0) this.#passing = false;
    const passing = this.#passing || rest.length > longestError;
    this.#passing = passing;
    this.#held = passing ? nothing : rest;
    return passing ? joined(passed, rest) : passed;
  }

  end(): Uint8Array {
    return this.#judged(this.#held);
  }

  #judged(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return bytes;
    const text = charactersOf(bytes);
    // The end of a line whose beginning was passed on already is no error either.
    const begun = this.#passing ? text.indexOf('\n') + 1 : 0;
    const lines = text.slice(begun).split(/(?<=\n)/);
    const judged = lines.map((line) => (this.#isError(line) ? starred(line, this.#key) : line));
    const changed = text.slice(0, begun) + judged.join('');
    return changed === text ? bytes : bytesOf(changed);
  }

  #isError(line: string): boolean {
    const [, field, value = ''] = /^(event|data): ?(.*?)\r?\n?$/.exec(line) ?? [];
    if (field === 'event') this.#event = value;
    else if (line.trim() === '') this.#event = '';
    if (field === 'event') return false;
    if (field === 'data' && this.#event === 'error') return true;
    const text = field ? value : line;
    // Parsing costs microseconds a line, and a provider may send a million lines.
    return mayTellError.test(text) && tellsError(text);
  }
}
