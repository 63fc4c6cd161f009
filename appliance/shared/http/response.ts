import type { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import { decodeUtf8, readAtMost } from '#contract/text/bytes.ts';
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
const maxBeginning = 64 * 1024;

/**
 * Wraps a received response. Reads the beginning of any body that is not content (redirects,
 * failures, empty bodies) immediately, so that callers need not free its connection.
 */
export async function receive(
  { status, url, headers, raw, explain }: Arrival,
  method: HttpRequest['method'],
): Promise<HttpResponse> {
  // A lost connection without a reader must not end the process.
  raw.on('error', () => {});
  const announced = contentLength(headers['content-length']);
  const isContent = status < 300 && method !== 'HEAD' && announced !== 0;
  const beginning = isContent ? undefined : await beginningOf(raw);
  const length = beginning?.length ?? announced ?? 0;
  let isTaken = false;

  async function* chunks(): AsyncGenerator<Buffer> {
    isTaken = true;
    try {
      yield* raw as AsyncIterable<Buffer>;
    } catch (cause) {
      throw explain(cause);
    }
  }
  const body = beginning === undefined ? chunks() : only(beginning);
  const discard = async () => {
    // Destroying the stream also stops a concurrent reader.
    if (isTaken || length > maxBeginning) raw.destroy();
    else await beginningOf(raw);
  };
  return {
    ...{ status, url, body, discard },
    header(name) {
      const value = headers[name.toLowerCase()];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    async bytes(maxBytes) {
      if (length > maxBytes) {
        await discard();
        throw tooLarge(url, maxBytes);
      }
      const bytes = await readAtMost(body, maxBytes + 1);
      if (bytes.length > maxBytes) throw tooLarge(url, maxBytes);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    },
    text: async (maxBytes) => decodeUtf8(await readAtMost(body, maxBytes)),
  };
}

function tooLarge(url: URL, maxBytes: number): LandfallError {
  const message = `the response of ${safeUrl(url)} is larger than ${maxBytes} bytes`;
  return new LandfallError('BLOB_SIZE', message, {
    hint: {
      en: 'Check the URL; this is not the expected content.',
      zh: '检查地址；这不是预期的内容。',
    },
  });
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
      if (received >= maxBeginning) break;
    }
  } catch {
    // Use the received bytes; the status is what matters.
  }
  return Buffer.concat(chunks).subarray(0, maxBeginning);
}

/** Parses a Content-Length header. Returns bytes; undefined if it is missing or invalid. */
export function contentLength(value: string | string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
