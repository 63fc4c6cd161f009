import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { refusalResponse } from '../refusal.ts';

/** Lets a fetch-style handler answer requests of `node:http`. */
export function listenerFor(handle: (request: Request) => Promise<Response>): RequestListener {
  return (incoming, outgoing) => {
    void exchange(handle, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

async function exchange(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
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
  await write(answer, incoming, outgoing);
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

async function write(
  answer: Response,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  if (!incoming.complete && bodyLength(incoming) > worthReading)
    outgoing.setHeader('connection', 'close');
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) {
    outgoing.end();
    return;
  }
  // The head of a stream must not wait for its first piece.
  outgoing.flushHeaders();
  await copy(answer.body.getReader(), outgoing);
}

/** Takes the next piece when the client has taken the last; a broken body breaks the connection. */
async function copy(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => {
    gone.abort();
    void reader.cancel().catch(() => {});
  };
  outgoing.once('close', leave);
  if (outgoing.destroyed) leave();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (!outgoing.write(value)) await once(outgoing, 'drain', { signal: gone.signal });
  }
  outgoing.end();
}
