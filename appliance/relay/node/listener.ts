import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { openai } from '../formats/openai.ts';
import { addressHeader } from '../headers.ts';
import { stalled } from '../passage.ts';
import { refusalResponse } from '../refusal.ts';
import type { AddressOf } from './client-address.ts';
import { decompressorFor } from './decompression.ts';
import { headersOf } from './outbound.ts';

type Handle = (request: Request) => Promise<Response>;

/**
 * Adapts a fetch-style handler to `node:http`. The handler finds the address of the client in
 * `x-real-ip`.
 * @param stallTimeout milliseconds until a client that does not read is disconnected
 */
export function listenerFor(
  handle: Handle,
  stallTimeout: number,
  addressOf: AddressOf,
): RequestListener {
  return (incoming, outgoing) => {
    void exchange(handle, incoming, outgoing, stallTimeout, addressOf).catch(() =>
      outgoing.destroy(),
    );
  };
}

async function exchange(
  handle: Handle,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  stallTimeout: number,
  addressOf: AddressOf,
): Promise<void> {
  const left = new AbortController();
  // Writing to a client that has just disconnected is not an error.
  outgoing.on('error', () => {});
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  const request = requestOf(incoming, await addressOf(incoming), left.signal, () =>
    outgoing.writeContinue(),
  );
  const answer = request
    ? await handle(request)
    : refusalResponse({ refused: 'relay_request_invalid' }, openai);
  const giveUp = () => {
    left.abort(stalled);
    // An orderly close would keep the unread data in the kernel.
    incoming.socket.resetAndDestroy();
  };
  await write(answer, incoming, new Outlet(outgoing, stallTimeout, giveUp));
}

/**
 * Returns undefined for a request that fetch cannot represent: an absolute URL, an unknown method.
 * @param demand asks a client for its body that waits for `100 Continue`
 */
function requestOf(
  incoming: IncomingMessage,
  address: string | undefined,
  signal: AbortSignal,
  demand: () => void,
): Request | undefined {
  const { method = '', url = '' } = incoming;
  if (!url.startsWith('/')) return undefined;
  const named = address === undefined ? {} : { [addressHeader]: address };
  const decompressor = decompressorFor(incoming.headers['content-encoding'] ?? '');
  // The length is that of the compressed body.
  const described = decompressor
    ? { 'content-encoding': undefined, 'content-length': undefined }
    : {};
  try {
    return new Request(`http://relay${url}`, {
      method,
      headers: headersOf({
        ...incoming.headers,
        ...described,
        [addressHeader]: undefined,
        ...named,
      }),
      signal,
      ...(mayHaveBody(incoming)
        ? { body: bodyOf(incoming, decompressor, demand), duplex: 'half' as const }
        : {}),
    });
  } catch {
    return undefined;
  }
}

/** Fetch does not allow a body with GET or HEAD, so such bodies are discarded. */
function mayHaveBody(incoming: IncomingMessage): boolean {
  return incoming.method !== 'GET' && incoming.method !== 'HEAD' && bodyLength(incoming) > 0;
}

/** Returns the declared length in bytes; Infinity for a chunked body. */
function bodyLength({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Starts to read the body on demand: Node discards a body that was never read.
 * @param decompressor of a compressed body; its reader limits what it returns
 */
function bodyOf(
  incoming: IncomingMessage,
  decompressor: Duplex | undefined,
  demand: () => void,
): ReadableStream<Uint8Array> {
  const chunks = isWaiting(incoming)
    ? demanded(incoming, demand)
    : incoming.iterator({ destroyOnReturn: false });
  const plain = decompressor ? decompressed(chunks, decompressor) : chunks;
  return ReadableStream.from(plain) as ReadableStream<Uint8Array>;
}

/** Returns whether a client sends its body only after `100 Continue`. */
function isWaiting({ headers }: IncomingMessage): boolean {
  return /^100-continue$/i.test(headers.expect ?? '');
}

/** The relay asks for a body only when it has checked the key. */
async function* demanded(incoming: IncomingMessage, demand: () => void) {
  demand();
  yield* incoming.iterator({ destroyOnReturn: false });
}

async function* decompressed(chunks: AsyncIterable<Uint8Array>, decompressor: Duplex) {
  yield* pipeline(chunks, decompressor, () => {});
}

const unauthorized = 401;
/** Unread request body above which the connection is closed after the response, in bytes. */
const worthReading = 64 * 1024;

async function write(answer: Response, incoming: IncomingMessage, outlet: Outlet): Promise<void> {
  const { outgoing } = outlet;
  const isUnread = !incoming.complete && mayHaveBody(incoming);
  const isLarge = isUnread && (isWaiting(incoming) || bodyLength(incoming) > worthReading);
  // Clients without a key keep no connection.
  if (isLarge || answer.status === unauthorized) outgoing.setHeader('connection', 'close');
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  // The headers of a stream must not wait for its first chunk.
  outgoing.flushHeaders();
  if (answer.body !== null) await copy(answer.body.getReader(), outlet);
  await outlet.end();
}

/** Reads a chunk only when the client has taken the previous one. A failed body closes the connection. */
async function copy(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outlet: Outlet,
): Promise<void> {
  outlet.whenGone(() => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    await outlet.write(value);
  }
}

/** Writes a response chunk by chunk. Disconnects a client that stops reading. */
export class Outlet {
  readonly outgoing: ServerResponse;
  readonly #stallTimeout: number;
  readonly #giveUp: () => void;
  readonly #gone = new AbortController();

  /** @param stallTimeout milliseconds without progress until `giveUp` is called */
  constructor(outgoing: ServerResponse, stallTimeout: number, giveUp: () => void) {
    this.outgoing = outgoing;
    this.#stallTimeout = stallTimeout;
    this.#giveUp = giveUp;
    outgoing.once('close', () => this.#gone.abort());
    if (outgoing.destroyed) this.#gone.abort();
  }

  /** Calls `act` when the connection closes, or immediately if it is closed. */
  whenGone(act: () => void): void {
    if (this.#gone.signal.aborted) act();
    else this.#gone.signal.addEventListener('abort', act);
  }

  /** Writes a chunk and waits for buffer space. @throws AbortError when the client has disconnected */
  async write(chunk: Uint8Array): Promise<void> {
    if (!this.outgoing.write(chunk)) await this.#until('drain');
  }

  /** Ends the response and flushes it. @throws AbortError when the client has disconnected */
  async end(): Promise<void> {
    this.outgoing.end();
    if (!this.outgoing.writableFinished) await this.#until('finish');
  }

  async #until(event: 'drain' | 'finish'): Promise<void> {
    const timer = setTimeout(this.#giveUp, this.#stallTimeout);
    await once(this.outgoing, event, { signal: this.#gone.signal }).finally(() =>
      clearTimeout(timer),
    );
  }
}
