import { concatBytes } from '#contract/text/bytes.ts';
import { parseJson } from '#contract/text/json.ts';
import { nothing } from '../redact/redaction.ts';
import { textBytesOf, tokensOfBytes, utf8Length } from './estimate.ts';
import { Reported } from './reported.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Counts the tokens of an answer while it passes. */
export interface Meter {
  /** Takes the next chunk and returns what the client gets. */
  push(chunk: Uint8Array): Uint8Array;
  /** Returns the rest at the end of the answer. */
  end(): Uint8Array;
  /** What the provider reported so far. */
  readonly reported: Reported;
  /** Whether no text has followed what the provider reported last. */
  readonly isFinal: boolean;
  /** Estimated tokens of the answer so far. */
  readonly estimate: number;
  /** Whether the model has ended the answer. */
  readonly isFinished: boolean;
  /** The last event that was parsed, to close a stream in its format. */
  readonly last: Fields;
}

/** Answers up to this size are parsed as a whole, in bytes. */
const maxParsed = 256 * 1024;
/** What is kept of the end of a longer one. */
const tailLength = 16 * 1024;

/** Counts an answer that is one JSON value. It passes unchanged. */
export class JsonMeter implements Meter {
  readonly reported = new Reported();
  readonly last = {};
  readonly isFinal = false;
  readonly isFinished = false;
  #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;

  push(chunk: Uint8Array): Uint8Array {
    this.#bytes += chunk.length;
    this.#kept += chunk.length;
    this.#chunks.push(chunk);
    if (this.#kept > maxParsed + tailLength) {
      const tail = concatBytes(...this.#chunks).slice(-tailLength);
      this.#chunks = [tail];
      this.#kept = tail.length;
    }
    return chunk;
  }

  end(): Uint8Array {
    const text = new TextDecoder().decode(concatBytes(...this.#chunks));
    this.#chunks = [];
    const isWhole = this.#kept === this.#bytes;
    const whole = isWhole ? parseJson(text) : undefined;
    // Gemini sends a stream as one array.
    if (whole !== undefined) for (const each of [whole].flat()) this.reported.take(each);
    // Some providers send JSON lines with the type of a single value.
    else if (isWhole) for (const line of text.split('\n')) this.reported.take(parseJson(line));
    else this.reported.take(usageAtEnd(text));
    return nothing;
  }

  get estimate(): number {
    return tokensOfBytes(this.#bytes);
  }
}

/** Finds the usage in the end of a long answer. Text of the model has escaped quotation marks. */
function usageAtEnd(text: string): unknown {
  const found = [
    ...text.matchAll(/(?<!\\)"usage(?:Metadata)?" ?: ?(\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})/g),
  ];
  return { usage: parseJson(found.at(-1)?.[1] ?? '') };
}

/** A longer line is passed on without being parsed, in bytes. */
const maxLine = 256 * 1024;
const newline = 0x0a;

/**
 * Counts a stream of events or of JSON lines. Passes complete lines.
 * @param hidesUsage removes the event that has nothing but usage, with the empty line after it
 */
export class LineMeter implements Meter {
  readonly reported = new Reported();
  #last = '';
  readonly #hidesUsage: boolean;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #encoder = new TextEncoder();
  #held: Uint8Array = nothing;
  #tokens = 0;
  #tokensAtUsage = -1;
  #isFinished = false;
  #afterHidden = false;
  #isLong = false;

  constructor(hidesUsage: boolean) {
    this.#hidesUsage = hidesUsage;
  }

  push(chunk: Uint8Array): Uint8Array {
    const bytes = this.#held.length > 0 ? concatBytes(this.#held, chunk) : chunk;
    const whole = bytes.lastIndexOf(newline) + 1;
    const passed = this.#count(bytes.subarray(0, whole));
    const rest = bytes.subarray(whole);
    if (whole > 0) this.#isLong = false;
    if (!this.#isLong && rest.length <= maxLine) {
      this.#held = rest;
      return passed;
    }
    this.#isLong = true;
    this.#held = nothing;
    this.#tokens += tokensOfBytes(rest.length);
    return concatBytes(passed, rest);
  }

  end(): Uint8Array {
    const rest = this.#count(this.#held);
    this.#held = nothing;
    return rest;
  }

  get estimate(): number {
    return this.#tokens;
  }

  get isFinal(): boolean {
    return this.#tokensAtUsage === this.#tokens;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  get last(): Fields {
    return (parseJson(this.#last) ?? {}) as Fields;
  }

  #count(bytes: Uint8Array): Uint8Array {
    if (bytes.length === 0) return bytes;
    const text = this.#decoder.decode(bytes);
    // The end of a line whose beginning has passed.
    let at = this.#isLong ? text.indexOf('\n') + 1 : 0;
    let kept = text.slice(0, at);
    let begin = at;
    while (at < text.length) {
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline + 1;
      if (this.#isHidden(text.slice(at, end))) {
        kept += text.slice(begin, at);
        begin = end;
      }
      at = end;
    }
    return begin === kept.length ? bytes : this.#encoder.encode(kept + text.slice(begin));
  }

  /** Counts a line, and returns whether the client must not see it. */
  #isHidden(line: string): boolean {
    const afterHidden = this.#afterHidden;
    this.#afterHidden = false;
    if (line === '\n' || line === '\r\n') return afterHidden;
    const text = line.startsWith('data:') ? line.slice(5).trim() : line.trim();
    if (text === '[DONE]') this.#isFinished = true;
    if (!text.startsWith('{')) return false;
    this.#last = text;
    const plain = plainTextBytes(text);
    if (plain > 0) {
      this.#tokens += tokensOfBytes(plain);
      return false;
    }
    const event = parseJson(text) as Fields | undefined;
    if (event === undefined) {
      this.#tokens += tokensOfBytes(text.length);
      return false;
    }
    const bytes = textBytesOf(event);
    if (bytes > 0) this.#tokens += tokensOfBytes(bytes);
    if (isEnd(event)) this.#isFinished = true;
    const hasUsage = this.reported.take(event);
    if (hasUsage) this.#tokensAtUsage = this.#tokens;
    const { choices } = event;
    const isExtra = hasUsage && Array.isArray(choices) && choices.length === 0;
    this.#afterHidden = isExtra && this.#hidesUsage;
    return this.#afterHidden;
  }
}

const deltaStart = '"delta":{"content":"';

/**
 * Returns the bytes of the text of the most common event: a piece of OpenAI's chat completions that has
 * nothing else. 0 for any other event, which must be parsed. Parsing all of them costs 4 % of the relay.
 */
function plainTextBytes(event: string): number {
  const at = event.indexOf(deltaStart);
  if (at < 0) return 0;
  const start = at + deltaStart.length;
  const end = event.indexOf('"', start);
  if (event[end + 1] !== '}' || event[end - 1] === '\\') return 0;
  const isOther = [
    '"delta"',
    '"usage":{',
    '"finish_reason":"',
    '"usage": ',
    '"finish_reason": ',
  ].some((sign) => event.includes(sign, end));
  // In front of the delta are the identifiers and, with some providers, the usage.
  if (isOther || event.lastIndexOf('"usage"', at) >= 0) return 0;
  return utf8Length(event.slice(start, end));
}

const endTypes = new Set<unknown>([
  'message_stop',
  'response.completed',
  'response.incomplete',
  'response.failed',
]);

/** Returns whether an event ends the answer, in any of the formats. */
function isEnd({ type, done, choices, candidates }: Fields): boolean {
  const list = choices ?? candidates;
  const choice = Array.isArray(list) ? list[0] : undefined;
  const { finish_reason: reason, finishReason = reason } = choice ?? {};
  return endTypes.has(type) || done === true || typeof finishReason === 'string';
}
