import type { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import type { HttpResponse } from './message.ts';
import { safeUrl } from './safe-url.ts';

/** What an answer is made from. */
interface Arrival {
  readonly status: number;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: Readable;
  /** Turns a failure of the transport into an error of ours. */
  readonly explain: (cause: unknown) => unknown;
}

/** As much of an error page as anybody reads, and as a connection is worth. */
const keptOfFailure = 64 * 1024;

/**
 * An answer over a stream. What is not content (redirects, failures, nothing at all) is read at
 * once and in part, so that nobody has to remember to free its connection.
 */
export async function receive(arrival: Arrival, method: 'GET' | 'HEAD'): Promise<HttpResponse> {
  // A connection that is cut while nobody reads must not end the process.
  arrival.raw.on('error', () => {});
  const isContent = arrival.status < 300 && method === 'GET' && lengthOf(arrival) !== 0;
  return new Answer(arrival, isContent ? undefined : await beginningOf(arrival.raw));
}

class Answer implements HttpResponse {
  readonly status: number;
  readonly url: URL;
  readonly body: AsyncIterable<Buffer>;
  readonly #arrival: Arrival;
  /** Bytes that the body has, where they were announced. */
  readonly #length: number | undefined;
  #isTaken = false;

  constructor(arrival: Arrival, kept: Buffer | undefined) {
    this.status = arrival.status;
    this.url = arrival.url;
    this.body = kept === undefined ? this.#chunks() : only(kept);
    this.#arrival = arrival;
    this.#length = kept === undefined ? lengthOf(arrival) : kept.length;
  }

  header(name: string): string | undefined {
    const value = this.#arrival.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async bytes(maxBytes: number): Promise<Buffer> {
    if ((this.#length ?? 0) > maxBytes) {
      await this.discard();
      throw this.#tooLarge(maxBytes);
    }
    const chunks: Buffer[] = [];
    let received = 0;
    for await (const chunk of this.body) {
      received += chunk.length;
      if (received > maxBytes) throw this.#tooLarge(maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async discard(): Promise<void> {
    const { raw } = this.#arrival;
    // Somebody may be reading: then this is how they are told to stop.
    if (this.#isTaken || (this.#length ?? 0) > keptOfFailure) raw.destroy();
    else await beginningOf(raw);
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    this.#isTaken = true;
    const { raw, explain } = this.#arrival;
    try {
      for await (const chunk of raw) yield chunk;
    } catch (cause) {
      throw explain(cause);
    }
  }

  #tooLarge(maxBytes: number): LandfallError {
    const message = `the answer of ${safeUrl(this.url)} is larger than ${maxBytes} bytes`;
    return new LandfallError('BLOB_SIZE', message, {
      hint: 'Check the address: this is not what was asked for.',
    });
  }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

/** Reads a little, so that the connection can be used again, and cuts it when there is more. */
async function beginningOf(raw: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let received = 0;
  if (raw.destroyed) return Buffer.alloc(0);
  try {
    for await (const chunk of raw) {
      chunks.push(chunk);
      received += chunk.length;
      if (received >= keptOfFailure) break;
    }
  } catch {
    // Whatever came has to do: the status has said what matters.
  }
  return Buffer.concat(chunks).subarray(0, keptOfFailure);
}

function lengthOf({ headers }: Arrival): number | undefined {
  const text = headers['content-length'];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
