import { setTimeout as pause } from 'node:timers/promises';
import type { Handler, Visit } from './faulty-server.ts';

/* What a FaultyServer can be told to do. Every fault is a handler for one path. */

export interface Content {
  readonly type?: string;
  /** Whether Range requests are honoured; default true. */
  readonly ranges?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the whole content or the requested range: no fault. */
export function serve(bytes: Buffer, content: Content = {}): Handler {
  return ({ request, response }) => {
    const { status, headers, body } = answerTo(request.headers.range, bytes, content);
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
  };
}

/** Sends the correct header, then this many bytes, then disconnects. Supports ranges. */
export function cutAfter(count: number, bytes: Buffer, content: Content = {}): Handler {
  return async (visit) => {
    await begin(visit, bytes, count, content);
    visit.request.socket.destroy();
  };
}

/**
 * The same, but disconnects after the client has read these bytes: bytes in transit may be lost
 * when a connection is reset.
 * @param read returns the number of content bytes that the client has read
 */
export function cutOnceRead(count: number, bytes: Buffer, read: () => number): Handler {
  return async (visit) => {
    const before = read();
    const sent = await begin(visit, bytes, count, {});
    while (read() - before < sent && !visit.response.destroyed) await new Promise(setImmediate);
    visit.request.socket.destroy();
  };
}

/** Sends the correct header, then this many bytes, then stalls. */
export function stallAfter(count: number, bytes: Buffer, content: Content = {}): Handler {
  return async (visit) => {
    await begin(visit, bytes, count, content);
  };
}

/** Sends the content in chunks with delays. */
export function trickle(bytes: Buffer, piece: number, everyMs: number): Handler {
  return async ({ request, response }) => {
    const { status, headers, body } = answerTo(request.headers.range, bytes, {});
    response.writeHead(status, headers);
    let at = 0;
    for (; at + piece < body.length && !response.destroyed; at += piece) {
      response.write(body.subarray(at, at + piece));
      await pause(everyMs);
    }
    response.end(body.subarray(at));
  };
}

/** Accepts the request and never responds. */
export function silence(): Handler {
  return () => {};
}

/** Sends content of the correct length with a wrong last byte. */
export function wrongBytes(bytes: Buffer, content: Content = {}): Handler {
  const wrong = Buffer.from(bytes);
  const last = wrong.length - 1;
  wrong[last] = (wrong[last] ?? 0) ^ 1;
  return serve(wrong, content);
}

/** Sends only the first bytes, as a complete response. */
export function short(count: number, bytes: Buffer, content: Content = {}): Handler {
  return serve(bytes.subarray(0, count), content);
}

/** Sends an endless body without a length. */
export function endless(chunk = Buffer.alloc(64 * 1024)): Handler {
  return ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pour);
    pour();
  };
}

/** Sends a status, optionally with headers and a body. */
export function status(code: number, headers: Record<string, string> = {}, body = ''): Handler {
  return ({ response }) => void response.writeHead(code, headers).end(body);
}

/** 429; `retryAfter` is the header value: seconds or an HTTP date. */
export function tooManyRequests(retryAfter?: string): Handler {
  return status(429, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
}

/** Always sends 401. */
export function unauthorized(challenge = 'Basic realm="test"'): Handler {
  return status(401, { 'www-authenticate': challenge });
}

/** Redirects; to its own path it makes a loop. */
export function redirect(location: string | URL, code = 302): Handler {
  return status(code, { location: String(location) });
}

/** Sends the page of a captive portal or a filter, with status 200. */
export function html(page = '<!doctype html><title>Please log in</title>'): Handler {
  return serve(Buffer.from(page), { type: 'text/html; charset=utf-8', ranges: false });
}

/** Responds to a range request with 206 and a Content-Range (and bytes) at another position. */
export function wrongContentRange(bytes: Buffer, shift = 1): Handler {
  return (visit) => {
    const from = rangeStart(visit.request.headers.range);
    if (from === undefined) return serve(bytes)(visit);
    const body = bytes.subarray(from + shift);
    const range = `bytes ${from + shift}-${bytes.length - 1}/${bytes.length}`;
    visit.response.writeHead(206, { 'content-range': range }).end(body);
    return undefined;
  };
}

/** Sends 416 for every range request. */
export function rangeNotSatisfiable(bytes: Buffer): Handler {
  return (visit) =>
    visit.request.headers.range === undefined ? serve(bytes)(visit) : status(416)(visit);
}

/** Uses the first handler for the first request to a path, and so on; the last for the rest. */
export function inTurn(...handlers: readonly Handler[]): Handler {
  return (visit) => handlers[Math.min(visit.count, handlers.length) - 1]?.(visit);
}

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | number>;
  readonly body: Buffer;
}

function answerTo(range: string | undefined, bytes: Buffer, content: Content): Reply {
  const { type = 'application/octet-stream', ranges = true, headers = {} } = content;
  const from = ranges ? rangeStart(range) : undefined;
  const body = bytes.subarray(from ?? 0, from === undefined ? undefined : rangeEnd(range));
  const all = { 'content-type': type, 'content-length': body.length, ...headers };
  if (from === undefined) return { status: 200, headers: all, body };
  if (from >= bytes.length) return { status: 416, headers: {}, body: Buffer.alloc(0) };
  const place = `bytes ${from}-${from + body.length - 1}/${bytes.length}`;
  return { status: 206, headers: { ...all, 'content-range': place }, body };
}

/** Returns how many bytes of the content were sent. */
async function begin(
  visit: Visit,
  bytes: Buffer,
  count: number,
  content: Content,
): Promise<number> {
  const { status: code, headers, body } = answerTo(visit.request.headers.range, bytes, content);
  visit.response.writeHead(code, headers).flushHeaders();
  const part = body.subarray(0, count);
  await new Promise<void>((resolve) => visit.response.write(part, () => resolve()));
  return part.length;
}

function rangeStart(range: string | undefined): number | undefined {
  const found = /^bytes=(\d+)-\d*$/.exec(range ?? '');
  return found === null ? undefined : Number(found[1]);
}

/** End of the range, exclusive; undefined for an open end. */
function rangeEnd(range: string | undefined): number | undefined {
  const last = /-(\d+)$/.exec(range ?? '')?.[1];
  return last === undefined ? undefined : Number(last) + 1;
}
