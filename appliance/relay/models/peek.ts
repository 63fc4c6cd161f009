import { GrowingBytes } from '../growing-bytes.ts';
import type { Body } from '../message.ts';
import { ModelScanner } from './model-scanner.ts';

/** Bytes of request bodies that wait for their provider at any time, and those of one key. */
const poolSize = 32 * 2 ** 20;
const share = 1 / 2;

/** Limits the memory of bodies that are read before their provider has answered. */
export class BodyPool {
  #free: number;
  readonly #share: number;
  readonly #held = new Map<string, number>();

  constructor(size = poolSize) {
    this.#free = size;
    this.#share = size * share;
  }

  /** Returns whether the bytes are available for a key, and takes them. */
  take(key: string, bytes: number): boolean {
    const held = (this.#held.get(key) ?? 0) + bytes;
    if (bytes > this.#free || held > this.#share) return false;
    this.#free -= bytes;
    this.#held.set(key, held);
    return true;
  }

  give(key: string, bytes: number): void {
    this.#free += bytes;
    const held = (this.#held.get(key) ?? 0) - bytes;
    if (held > 0) this.#held.set(key, held);
    else this.#held.delete(key);
  }
}

/** A body of which the beginning was read. */
interface PeekedBody {
  /** The `model` of a JSON body; undefined without one. */
  readonly model: string | undefined;
  /** The whole body, unchanged. */
  readonly body: Body;
  /** Frees the memory of what was not sent. */
  readonly drop: () => void;
}

/**
 * Reads a JSON body until its `model` is known, often in the first chunk. What was read is
 * sent first, then the rest as it arrives.
 * @param key name of the relay key, whose share of the pool is limited
 * @returns undefined when the pool has no room
 * @throws what the body throws
 */
export async function peekModel(
  source: Body,
  pool: BodyPool,
  key: string,
): Promise<PeekedBody | undefined> {
  const chunks = source[Symbol.asyncIterator]();
  const scanner = new ModelScanner();
  const read = new GrowingBytes();
  let isEnded = false;
  const drop = () => pool.give(key, read.take().length);
  try {
    while (!scanner.isDone && !isEnded) {
      const { done = false, value } = await chunks.next();
      isEnded = done;
      if (!value) continue;
      if (!pool.take(key, value.byteLength)) {
        drop();
        void chunks.return?.().catch(() => {});
        return undefined;
      }
      read.push(value);
      scanner.push(value);
    }
  } catch (error) {
    drop();
    throw error;
  }
  async function* whole() {
    try {
      const first = read.take();
      pool.give(key, first.length);
      if (first.length > 0) yield first;
      if (!isEnded) yield* { [Symbol.asyncIterator]: () => chunks };
    } finally {
      drop();
      await chunks.return?.();
    }
  }
  return { model: scanner.model, body: whole(), drop };
}
