import type { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import { readAtMost } from '#contract/text/bytes.ts';
import { decodeUtf8 } from '#contract/text/utf8.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { safeUrl } from './safe-url.ts';

/** The data of a received response. */
interface Arrival {
  readonly status: number;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly raw: Readable;
  /** Converts a transport failure to a LandfallError. */
  readonly explain: (cause: unknown) => unknown;
}

/** Maximum bytes of an error page to read before the connection is closed. */
const keptOfFailure = 64 * 1024;

/**
 * Wraps a received response. Reads the beginning of any body that is not content (redirects,
 * failures, empty bodies) immediately, so that callers need not free its connection.
 */
export async function receive(
  arrival: Arrival,
  method: HttpRequest['method'],
): Promise<HttpResponse> {
  // A lost connection without a reader must not end the process.
  arrival.raw.on('error', () => {});
  const isContent = arrival.status < 300 && method !== 'HEAD' && lengthOf(arrival) !== 0;
  return new Answer(arrival, isContent ? undefined : await beginningOf(arrival.raw));
}

class Answer implements HttpResponse {
  readonly status: number;
  readonly url: URL;
  readonly body: AsyncIterable<Buffer>;
  readonly #arrival: Arrival;
  /** Content-Length in bytes, if present. */
  readonly #length: number | undefined;
  #isTaken = false;

  constructor(arrival: Arrival, kept: Buffer | undefined) {
    this.status = arrival.status;
    this.url = arrival.url;
    this.body = kept === undefined ? this.#chunks() : only(kept);
    this.#arrival = arrival;
    this.#length = kept === undefined ? lengthOf(arrival) : kept.length;
  }

  readonly header = (name: string): string | undefined => {
    const value = this.#arrival.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  };

  async bytes(maxBytes: number): Promise<Buffer> {
    if ((this.#length ?? 0) > maxBytes) {
      await this.discard();
      throw this.#tooLarge(maxBytes);
    }
    const bytes = await readAtMost(this.body, maxBytes + 1);
    if (bytes.length > maxBytes) throw this.#tooLarge(maxBytes);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  async text(maxBytes: number): Promise<string> {
    return decodeUtf8(await readAtMost(this.body, maxBytes));
  }

  async discard(): Promise<void> {
    const { raw } = this.#arrival;
    // Destroying the stream also stops a concurrent reader.
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
    const message = `the response of ${safeUrl(this.url)} is larger than ${maxBytes} bytes`;
    return new LandfallError('BLOB_SIZE', message, {
      hint: 'Check the URL; this is not the expected content.',
    });
  }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

/**
 * Reads a limited number of bytes to make the connection reusable, and closes it if there are more.
 */
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
    // Use the received bytes; the status is what matters.
  }
  return Buffer.concat(chunks).subarray(0, keptOfFailure);
}

function lengthOf({ headers }: Arrival): number | undefined {
  const text = headers['content-length'];
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
