import { parseJson } from '#contract/text/json.ts';

const quote = 0x22;
const backslash = 0x5c;
const [opening, closing] = [new Set([0x7b, 0x5b]), new Set([0x7d, 0x5d])];
const spaces = new Set([0x20, 0x09, 0x0a, 0x0d]);
const [colon, comma] = [0x3a, 0x2c];

/** Bytes of the longest name with its quotes and escapes. Longer ones are not names of models. */
const maxToken = 1024;

/**
 * Finds `model` of a JSON object while its chunks arrive, without keeping them. Only the outermost
 * object counts. It checks no syntax: the provider does.
 */
export class ModelScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The bytes of the current string, if it is a key or a value of the outermost object. */
  #token: number[] = [];
  #expects: 'key' | 'value' = 'key';
  #key: unknown;
  #isDone = false;
  #model: string | undefined;

  /** Whether later chunks cannot change the result. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** The name; undefined when there is none, or it is not a string. */
  get model(): string | undefined {
    return this.#model;
  }

  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length && !this.#isDone) at = this.#step(chunk, at);
  }

  /** Takes one byte, or the rest of a string. @returns the index of the next byte */
  #step(chunk: Uint8Array, at: number): number {
    if (this.#inString) return this.#throughString(chunk, at);
    const byte = chunk[at] ?? 0;
    if (spaces.has(byte)) return at + 1;
    // Not an object.
    if (this.#depth === 0 && byte !== 0x7b) this.#isDone = true;
    if (byte === quote) {
      this.#inString = true;
      this.#token = [quote];
    } else if (opening.has(byte)) this.#depth += 1;
    else if (closing.has(byte)) this.#depth -= 1;
    if (this.#depth === 0) this.#isDone = true;
    if (this.#depth === 1 && byte === comma) this.#expects = 'key';
    if (this.#depth === 1 && byte === colon) this.#expects = 'value';
    return at + 1;
  }

  #throughString(chunk: Uint8Array, start: number): number {
    const isOutermost = this.#depth === 1;
    for (let at = start; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (isOutermost && this.#token.length <= maxToken) this.#token.push(byte);
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) {
        this.#inString = false;
        if (isOutermost) this.#take();
        return at + 1;
      }
    }
    return chunk.length;
  }

  #take(): void {
    const isLong = this.#token.length > maxToken;
    const text = new TextDecoder().decode(Uint8Array.from(this.#token));
    const value = isLong ? undefined : parseJson(text);
    if (this.#expects === 'key') this.#key = value;
    else if (this.#key === 'model') {
      this.#model = typeof value === 'string' ? value : undefined;
      this.#isDone = true;
    }
  }
}
