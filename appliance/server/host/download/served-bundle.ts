import { partName } from '#contract/bundle/release-name.ts';
import type { HttpClient, HttpResponse } from '#http/client.ts';
import { bodyLength, bodyStart } from '#http/resume.ts';
import { safeUrl } from '#http/safe-url.ts';
import { statusError } from '#http/status.ts';
import { TransferError } from '#http/transfer-error.ts';

/** A bundle of which only some ranges are read. */
export interface BundleSource {
  /** For messages. */
  readonly name: string;
  /** Yields the bundle from its start, for the head. */
  head(): AsyncIterable<Uint8Array>;
  /**
   * Yields a range of the bundle. A chunk may change when the next one is requested.
   * @param size bytes
   * @param until offset after the last byte that is read next in order: one request has all of them
   */
  read(from: number, size: number, until: number): AsyncIterable<Uint8Array>;
  /** Ends what is open. The source can be read again. */
  close(): Promise<void>;
}

/** Bytes of the head that one request asks for. Most heads need one or two. */
const headStep = 128 << 10;

/** A response and the bytes of the bundle that it still has. */
interface Running {
  readonly response: HttpResponse;
  readonly body: AsyncIterator<Buffer>;
  /** Offset of the next byte in the bundle. */
  position: number;
  /** Offset after the last byte that was requested. */
  readonly end: number;
}

/**
 * A bundle on a web server, in one file or in parts, of which only some ranges are read. A server that
 * ignores ranges sends the whole file once; what is not needed is skipped.
 */
export class ServedBundle implements BundleSource {
  readonly name: string;
  readonly #url: URL;
  readonly #client: HttpClient;
  readonly #partSize: number;
  /** Entity tags by part: a file that was replaced during a download is sent from its start. */
  readonly #tags = new Map<number, string>();
  #running: Running | undefined;
  #rest: Buffer = Buffer.alloc(0);

  /** @param partSize bytes of each part except the last; null: one file */
  constructor(client: HttpClient, url: URL, partSize: number | null) {
    this.#client = client;
    this.#url = url;
    this.name = safeUrl(url);
    this.#partSize = partSize ?? Number.MAX_SAFE_INTEGER;
  }

  /** Requests as much as is read. */
  async *head(): AsyncGenerator<Uint8Array> {
    for (let at = 0; ; at += headStep) yield* this.read(at, headStep, at + headStep);
  }

  /** @throws LandfallError HTTP_STATUS, NETWORK_… */
  async *read(from: number, size: number, until: number): AsyncGenerator<Uint8Array> {
    let at = from;
    let opened = 0;
    while (at < from + size) {
      const running = this.#reaches(at) ? this.#running : undefined;
      const { position } = running ?? (await this.#open(at, until));
      if (!running) opened += 1;
      const chunk = await this.#next();
      if (!chunk) {
        if (opened > 1) throw closedEarly(this.#url);
        continue;
      }
      const [begin, end] = [at - position, from + size - position];
      if (chunk.length <= begin) continue;
      const wanted = chunk.subarray(begin, end);
      this.#giveBack(chunk.subarray(begin + wanted.length));
      at += wanted.length;
      opened = 0;
      yield wanted;
    }
  }

  async close(): Promise<void> {
    await this.#running?.response.discard();
    this.#running = undefined;
    this.#rest = Buffer.alloc(0);
  }

  #reaches(offset: number): boolean {
    const running = this.#running;
    return running !== undefined && running.position <= offset && offset < running.end;
  }

  /** Requests a range up to the end of its part. */
  async #open(from: number, until: number): Promise<Running> {
    await this.close();
    const part = Math.floor(from / this.#partSize);
    const base = part * this.#partSize;
    const end = Math.min(until, base + this.#partSize);
    const start = from - base;
    const tag = this.#tags.get(part);
    const response = await this.#client.send({
      url: this.#urlOf(part),
      headers: {
        range: `bytes=${start}-${end - base - 1}`,
        ...(tag === undefined ? {} : { 'if-range': tag }),
      },
    });
    const found = bodyStart(response, start, null);
    if (found === undefined) {
      await response.discard();
      throw statusError(response, `reading ${this.#url.pathname.split('/').at(-1)}`);
    }
    const given = response.header('etag');
    // Only strong tags are allowed in If-Range (RFC 9110, section 13.1.5).
    if (given?.startsWith('"')) this.#tags.set(part, given);
    this.#running = {
      response,
      body: response.body[Symbol.asyncIterator](),
      position: base + found,
      end: response.status === 200 ? base + this.#partSize : end,
    };
    return this.#running;
  }

  #urlOf(part: number): URL {
    if (this.#partSize === Number.MAX_SAFE_INTEGER) return this.#url;
    return new URL(partName(this.#url.href, part));
  }

  /** Returns the next bytes of the response; undefined at its end. */
  async #next(): Promise<Buffer | undefined> {
    const running = this.#running;
    if (!running) return undefined;
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    const chunk = rest.length > 0 ? rest : (await running.body.next()).value;
    if (chunk) running.position += chunk.length;
    else await this.close();
    return chunk;
  }

  #giveBack(bytes: Buffer): void {
    if (!this.#running) return;
    this.#rest = bytes;
    this.#running.position -= bytes.length;
  }
}

function closedEarly(url: URL): TransferError {
  return new TransferError('NETWORK_UNREACHABLE', `${url.host} closed the connection early`, {
    hint: {
      en: 'Run the command again; it continues the download.',
      zh: '再运行一次，会继续下载。',
    },
    transient: true,
  });
}

/**
 * Returns the size of the parts of a bundle in bytes, which is that of the first one.
 * @param url of the first part
 * @throws LandfallError HTTP_STATUS, NETWORK_…
 */
export async function partSizeAt(client: HttpClient, url: URL): Promise<number> {
  const response = await client.send({ url, headers: { range: 'bytes=0-0' } });
  await response.discard();
  const [, total] = /\/(\d{1,15})$/.exec(response.header('content-range') ?? '') ?? [];
  const size = response.status === 200 ? bodyLength(response) : Number(total);
  if (size) return size;
  throw statusError(response, `reading ${url.pathname.split('/').at(-1)}`);
}
