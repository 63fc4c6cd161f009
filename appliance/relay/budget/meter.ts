import { endOfString, parseJson } from '#contract/text/json.ts';
import { GrowingBytes } from '../growing-bytes.ts';
import { nothing } from '../redact/redaction.ts';
import { TextLength } from './estimate.ts';
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
  /** Whether the provider has reported the usage of the whole answer. */
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
  readonly isFinished = false;
  readonly #length = new TextLength();
  readonly #kept = new GrowingBytes();
  /** How many of the kept bytes are in the length. Few answers need it, and it costs a step for each byte. */
  #counted = 0;
  #isWhole = true;
  #isFinal = false;

  get isFinal(): boolean {
    return this.#isFinal;
  }

  push(chunk: Uint8Array): Uint8Array {
    this.#kept.push(chunk);
    if (this.#kept.length > maxParsed + tailLength) this.#keepTail();
    return chunk;
  }

  end(): Uint8Array {
    const text = decoder.decode(this.#kept.view);
    const whole = this.#isWhole ? parseJson(text) : undefined;
    // Gemini sends a stream as one array.
    if (whole !== undefined) for (const each of [whole].flat()) this.reported.take(each);
    // Some providers send JSON lines with the type of a single value.
    else if (this.#isWhole)
      for (const line of text.split('\n')) this.reported.take(parseJson(line));
    else this.reported.take(usageAtEnd(text));
    this.#isFinal = true;
    return nothing;
  }

  get estimate(): number {
    this.#countTo(this.#kept.length);
    return this.#length.tokens;
  }

  #keepTail(): void {
    const first = this.#kept.length - tailLength;
    this.#countTo(first);
    this.#counted -= first;
    this.#kept.push(this.#kept.take().slice(-tailLength));
    this.#isWhole = false;
  }

  #countTo(end: number): void {
    if (end <= this.#counted) return;
    this.#length.push(this.#kept.view.subarray(this.#counted, end));
    this.#counted = end;
  }
}

const decoder = new TextDecoder();

/**
 * Finds the usage of the outermost object in the end of a long answer. Text of the model has escaped
 * quotation marks, but the arguments of a function that it calls may be an object.
 */
function usageAtEnd(text: string): unknown {
  const found = [
    ...text.matchAll(/(?<!\\)"usage(?:Metadata)?" ?: ?(\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})/g),
  ];
  const outermost = found.findLast(({ 0: match, index }) => closes(text, index + match.length));
  return { usage: parseJson(outermost?.[1] ?? '') };
}

/** Returns whether a JSON text closes exactly one object from an index to its end. */
function closes(text: string, start: number): boolean {
  let level = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at) - 1;
    else if ('{['.includes(character)) level += 1;
    else if ('}]'.includes(character)) level -= 1;
  }
  return level === -1;
}
