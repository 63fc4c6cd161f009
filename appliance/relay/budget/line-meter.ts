import { parseJson } from '#contract/text/json.ts';
import { LineSplitter } from '../growing-bytes.ts';
import { fieldsOf, joined } from '../redact/redaction.ts';
import { textBytesOf, tokensOfBytes, utf8Length } from './estimate.ts';
import type { Meter } from './meter.ts';
import { Reported } from './reported.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A longer line is passed on without being parsed, in bytes. */
const maxLine = 256 * 1024;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Counts a stream of events or of JSON lines. Passes complete lines.
 * @param hidesUsage removes the event that has nothing but usage, with the empty line after it
 */
export class LineMeter implements Meter {
  readonly reported = new Reported();
  #last = '';
  readonly #hidesUsage: boolean;
  readonly #lines = new LineSplitter(maxLine);
  #tokens = 0;
  /** The tokens when the usage of the whole answer was reported. */
  #tokensAtUsage = -1;
  /** The tokens when any usage was reported. */
  #tokensAtAny = -1;
  #isFinished = false;
  #afterHidden = false;

  constructor(hidesUsage: boolean) {
    this.#hidesUsage = hidesUsage;
  }

  push(chunk: Uint8Array): Uint8Array {
    const { lines, isInside, long } = this.#lines.push(chunk);
    const passed = this.#count(lines, isInside);
    this.#tokens += tokensOfBytes(long.length);
    return joined(passed, long);
  }

  end(): Uint8Array {
    const { lines, isInside } = this.#lines.end();
    return this.#count(lines, isInside);
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

  #count(bytes: Uint8Array, isInside: boolean): Uint8Array {
    if (bytes.length === 0) return bytes;
    const text = decoder.decode(bytes);
    // The end of a line whose beginning has passed.
    let at = isInside ? text.indexOf('\n') + 1 : 0;
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
    return begin === kept.length ? bytes : encoder.encode(kept + text.slice(begin));
  }

  /** Counts a line, and returns whether the client must not see it. */
  #isHidden(line: string): boolean {
    const afterHidden = this.#afterHidden;
    this.#afterHidden = false;
    if (line === '\n' || line === '\r\n') return afterHidden;
    const text = line.startsWith('data:') ? line.slice(5).trim() : line.trim();
    if (text === '[DONE]') {
      this.#isFinished = true;
      this.#tokensAtUsage = Math.max(this.#tokensAtUsage, this.#tokensAtAny);
    }
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
    // What is reported before the end is a part: the prompt, or the answer so far.
    if (hasUsage && this.#isFinished) this.#tokensAtUsage = this.#tokens;
    if (hasUsage) this.#tokensAtAny = this.#tokens;
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
function isEnd({ type, done, choices, candidates, delta }: Fields): boolean {
  const list = choices ?? candidates;
  const choice = Array.isArray(list) ? list[0] : undefined;
  const { finish_reason: reason, finishReason = reason } = choice ?? {};
  if (type === 'message_delta') return typeof fieldsOf(delta).stop_reason === 'string';
  return endTypes.has(type) || done === true || typeof finishReason === 'string';
}
