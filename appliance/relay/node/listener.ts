import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { stalled } from '../passage.ts';
import { refusalResponse } from '../refusal.ts';
import { Outlet } from './outlet.ts';

type Handle = (request: Request) => Promise<Response>;

/**
 * Lets a fetch-style handler answer requests of `node:http`.
 * @param stallTimeout milliseconds that a client may take nothing of its answer
 */
export function listenerFor(handle: Handle, stallTimeout: number): RequestListener {
  return (incoming, outgoing) => {
    void exchange(handle, incoming, outgoing, stallTimeout).catch(() => outgoing.destroy());
  };
}

async function exchange(
  handle: Handle,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  stallTimeout: number,
): Promise<void> {
  const left = new AbortController();
  // Writing to a client that has just left is no fault of anybody.
  outgoing.on('error', () => {});
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort();
  });
  const request = requestOf(incoming, left.signal);
  const answer = request
    ? await handle(request)
    : refusalResponse({ refused: 'relay_request_invalid' });
  const giveUp = () => {
    left.abort(stalled);
    // An orderly end would wait in the kernel, with all that the client did not take.
    incoming.socket.resetAndDestroy();
  };
  await write(answer, incoming, new Outlet(outgoing, stallTimeout, giveUp));
}

/** Nothing for what is no request to a relay: an absolute URL, a method that fetch does not know. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = '', url = '' } = incoming;
  if (!url.startsWith('/')) return undefined;
  try {
    return new Request(`http://relay${url}`, {
      method,
      headers: headersOf(incoming),
      signal,
      ...(mayHaveBody(incoming) ? { body: bodyOf(incoming), duplex: 'half' as const } : {}),
    });
  } catch {
    return undefined;
  }
}

function headersOf({ headers: raw }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(raw)) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return headers;
}

/** Fetch knows no GET with a body; what comes with one is thrown away. */
function mayHaveBody(incoming: IncomingMessage): boolean {
  return incoming.method !== 'GET' && incoming.method !== 'HEAD' && bodyLength(incoming) > 0;
}

/** Bytes that were announced; Infinity for a body that comes in chunks. */
function bodyLength({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
  return Number(headers['content-length'] ?? 0);
}

/** Touches the body only when somebody reads it: Node throws away what nobody began to read. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces = incoming.iterator({ destroyOnReturn: false });
  return ReadableStream.from(pieces) as ReadableStream<Uint8Array>;
}

/** What a refused client may still send before its connection is closed instead. */
const worthReading = 64 * 1024;

async function write(answer: Response, incoming: IncomingMessage, outlet: Outlet): Promise<void> {
  const { outgoing } = outlet;
  if (!incoming.complete && bodyLength(incoming) > worthReading)
    outgoing.setHeader('connection', 'close');
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  // The head of a stream must not wait for its first piece.
  outgoing.flushHeaders();
  if (answer.body !== null) await copy(answer.body.getReader(), outlet);
  await outlet.end();
}

/** Takes the next piece when the client has taken the last; a broken body breaks the connection. */
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
