import { readFile } from 'node:fs/promises';

/** The tokenizer of a GGUF file: byte-level BPE. */
export interface Vocabulary {
  readonly tokens: readonly string[];
  /** Kinds of tokens (llama.cpp, `llama_token_type`). */
  readonly kinds: readonly number[];
  readonly merges: readonly string[];
}

/** Type numbers of GGUF with a fixed size, and their bytes ("gguf_metadata_value_type"). */
const sizes = new Map([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 4],
  [5, 4],
  [6, 4],
  [7, 1],
  [10, 8],
  [11, 8],
  [12, 8],
]);
const [int32, string, array] = [5, 8, 9];

/** Reads the tokenizer from the metadata of a GGUF file. @throws Error if it has none */
export async function readVocabulary(file: string): Promise<Vocabulary> {
  const reader = new Reader(await readFile(file));
  reader.skip(4 + 4 + 8);
  const arrays = new Map<string, unknown[]>();
  for (let left = reader.count(); left > 0; left -= 1) {
    const key = reader.text();
    const value = reader.value(reader.number());
    if (Array.isArray(value)) arrays.set(key, value);
  }
  const get = <T>(name: string) => {
    const found = arrays.get(`tokenizer.ggml.${name}`);
    if (!found) throw new Error(`${file} has no tokenizer.ggml.${name}`);
    return found as T[];
  };
  return { tokens: get('tokens'), kinds: get('token_type'), merges: get('merges') };
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skip(count: number): void {
    this.#at += count;
  }

  number(): number {
    this.skip(4);
    return this.#bytes.readUInt32LE(this.#at - 4);
  }

  count(): number {
    this.skip(8);
    return Number(this.#bytes.readBigUInt64LE(this.#at - 8));
  }

  text(): string {
    const length = this.count();
    this.skip(length);
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  /** Returns strings, integers and arrays of these; undefined for other types. */
  value(type: number): unknown {
    if (type === string) return this.text();
    if (type === int32) return this.number();
    if (type === array) {
      const inner = this.number();
      return Array.from({ length: this.count() }, () => this.value(inner));
    }
    this.skip(sizes.get(type) ?? 0);
    return undefined;
  }
}
