import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Duplex, pipeline } from 'node:stream';
import { openai } from '../formats/openai.ts';
import { addressHeader } from '../headers.ts';
import type { Answer, Body, RelayRequest } from '../message.ts';
import { stalled } from '../passage.ts';
import { refusalResponse } from '../refusal.ts';
import type { AddressOf } from './client-address.ts';
import { decompressorFor } from './decompression.ts';
import { fieldsOf } from './outbound.ts';
import { Outlet } from './outlet.ts';

type Handle = (request: RelayRequest) => Promise<Answer>;

/**
 * Adapts the relay to `node:http`. The handler finds the address of the client in `x-real-ip`.
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
 * Returns undefined for a request not addressed to this server, such as one with an absolute URL.
 * @param demand asks a client for its body that waits for `100 Continue`
 */
function requestOf(
  incoming: IncomingMessage,
  address: string | undefined,
  signal: AbortSignal,
  demand: () => void,
): RelayRequest | undefined {
  const { method = '', url: path = '', headers } = incoming;
  const url = `http://relay${path}`;
  if (!path.startsWith('/') || !URL.canParse(url)) return undefined;
  const decompressor = decompressorFor(headers['content-encoding'] ?? '');
  // The length is that of the compressed body.
  const described = decompressor
    ? { 'content-encoding': undefined, 'content-length': undefined }
    : {};
  return {
    method,
    url,
    headers: fieldsOf({ ...headers, ...described, [addressHeader]: address }),
    signal,
    body: mayHaveBody(incoming) ? bodyOf(incoming, decompressor, demand) : null,
  };
}

/** Bodies of GET and HEAD have no meaning, so they are discarded (RFC 9110, 9.3.1). */
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
): Body {
  const chunks = isWaiting(incoming)
    ? demanded(incoming, demand)
    : incoming.iterator({ destroyOnReturn: false });
  return decompressor ? decompressed(chunks, decompressor) : chunks;
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

async function write(answer: Answer, incoming: IncomingMessage, outlet: Outlet): Promise<void> {
  const { outgoing } = outlet;
  const isUnread = !incoming.complete && mayHaveBody(incoming);
  const isLarge = isUnread && (isWaiting(incoming) || bodyLength(incoming) > worthReading);
  // Clients without a key keep no connection.
  if (isLarge || answer.status === unauthorized) outgoing.setHeader('connection', 'close');
  const { status, headers, body } = answer;
  const length =
    typeof body === 'string' ? { 'content-length': `${Buffer.byteLength(body)}` } : undefined;
  outgoing.writeHead(status, { ...headers, ...length });
  await outlet.send(body);
}
