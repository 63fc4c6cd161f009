import type { ServerResponse } from 'node:http';
import { type Answer, type Asked, beginStream, json } from '../provider.ts';

/** Headers that every stand-in expects from the relay, with the values that it requires. */
const common: Readonly<Record<string, RegExp>> = {
  host: /^/,
  // undici keeps no connection after HEAD.
  connection: /^(?:keep-alive|close)$/,
  accept: /^/,
  'accept-encoding': /^identity$/,
  'content-length': /^\d+$/,
  'content-type': /^application\/json/,
  'transfer-encoding': /^chunked$/,
  'user-agent': /^landfall-relay$/,
};

/** A request with its JSON. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Returns an API that is strict about headers: any header that it does not know, or with another value,
 * is a 400 that names it.
 * @param own headers of the API, all of them required
 */
export function strict(
  own: Readonly<Record<string, RegExp>>,
  answer: (call: Call, response: ServerResponse) => unknown,
): Answer {
  return async (response, asked) => {
    const wrong = wrongHeaders(asked, own);
    if (wrong.length > 0) return json(400, { error: `headers: ${wrong}` })(response, asked);
    const { pathname, searchParams } = new URL(asked.url, 'http://stand-in');
    const body = asked.body.length > 0 ? JSON.parse(asked.body.toString()) : {};
    const call = { method: asked.method, path: pathname, query: searchParams, body };
    const value = await answer(call, response);
    if (value === streamed) return;
    return value === undefined
      ? json(404, { error: { message: `no ${asked.method} ${asked.url}` } })(response, asked)
      : json(200, value)(response, asked);
  };
}

function wrongHeaders({ headers }: Asked, own: Readonly<Record<string, RegExp>>): string[] {
  const known = { ...common, ...own };
  const unknown = Object.entries(headers).filter(([name, value]) => !known[name]?.test(`${value}`));
  const missing = Object.keys(own).filter((name) => headers[name] === undefined);
  return [...unknown.map(([name]) => name), ...missing];
}

/** Marks a call that was answered with a stream. */
export const streamed = Symbol('streamed');

/** Streams texts of one type. */
export function stream(
  response: ServerResponse,
  texts: readonly string[],
  type?: string,
): typeof streamed {
  if (type === undefined) beginStream(response);
  else response.writeHead(200, { 'content-type': type });
  for (const text of texts) response.write(text);
  response.end();
  return streamed;
}

/** Returns an event of a stream, with its type if the API names it. */
export function event(value: object, type?: string): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(value)}\n\n`;
}
