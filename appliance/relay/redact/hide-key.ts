import { bytesOf, type Filter, joined, nothing, star } from './filter.ts';
import { spellingsOf } from './redaction.ts';

/**
 * Replaces the provider's key in a body by asterisks, also where it spans several chunks. Holds back
 * only bytes that may be the start of the key, and never the end of a line.
 */
export class HideKey implements Filter {
  readonly #spellings: readonly Uint8Array[];
  #held: Uint8Array = nothing;

  constructor(key: string) {
    this.#spellings = spellingsOf(key).map(bytesOf);
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
      while (length > 0 && !isAt(bytes, spelling.subarray(0, length), bytes.length - length))
        length -= 1;
      return length;
    });
    return Math.max(0, ...lengths);
  }
}

function find(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const [first = 0] = wanted;
  let at = bytes.indexOf(first, from);
  while (at >= 0 && !isAt(bytes, wanted, at)) at = bytes.indexOf(first, at + 1);
  return at;
}

function isAt(bytes: Uint8Array, wanted: Uint8Array, at: number): boolean {
  return at + wanted.length <= bytes.length && wanted.every((byte, n) => bytes[at + n] === byte);
}
