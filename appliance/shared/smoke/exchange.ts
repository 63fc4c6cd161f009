import { createSecureContext } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { passHeader } from '#contract/site/endpoints.ts';
import { decodeUtf8, readAtMost } from '#contract/text/bytes.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { GatewayPorts } from './target.ts';

/** Where a connection goes instead of to the host and port of the URL. */
export interface Via {
  readonly address?: string;
  readonly ports?: GatewayPorts;
  /** Pass of a gateway that is closed for an update. */
  readonly pass?: string;
}

export interface Call extends Via {
  /** Default: POST with a body, else GET. */
  readonly method?: 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as multipart/form-data instead of `body`. */
  readonly form?: FormData;
  /** Milliseconds for the whole exchange. */
  readonly timeout?: number;
}

export interface Answer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly text: string;
}

/**
 * TLS options that accept any certificate. The context is shared and contains no certificate
 * authorities, which saves some megabytes of memory.
 */
export const anyCertificate = {
  rejectUnauthorized: false,
  secureContext: createSecureContext({ ca: [] }),
} as const;

const defaultTimeout = 20_000;
/** Maximum size of a response body, in bytes. Pages of a chat UI are large. */
const maxAnswer = 8 << 20;

/** Sends an HTTP request and reads the response. Accepts any certificate: another test checks it. */
export async function exchange(url: string, call: Call = {}): Promise<Answer> {
  const { body, form, timeout = defaultTimeout } = call;
  const headers = { ...call.headers, ...passHeaders(call) };
  const { method = body === undefined && form === undefined ? 'GET' : 'POST' } = call;
  const { type, bytes: sent } = form ? await multipart(form) : json(body);
  const dispatcher = connectTo(call);
  try {
    const { origin, pathname, search } = new URL(url);
    const answer = await dispatcher.request({
      ...{ origin, path: `${pathname}${search}`, method },
      headers: { ...type, ...headers },
      body: sent,
      signal: AbortSignal.timeout(timeout),
    });
    const bytes = await readAtMost(answer.body, maxAnswer + 1);
    if (bytes.length > maxAnswer)
      throw new Error(inLanguage({ en: 'the response is too large', zh: '响应过大' }));
    return {
      status: answer.statusCode,
      header: (name) => [answer.headers[name.toLowerCase()]].flat()[0],
      text: decodeUtf8(bytes),
    };
  } finally {
    await dispatcher.destroy();
  }
}

/** Node writes the parts: undici's own writer brings all of its `fetch` into the program of a server. */
async function multipart(form: FormData) {
  const encoded = new Response(form);
  const type = { 'content-type': encoded.headers.get('content-type') ?? '' };
  return { type, bytes: Buffer.from(await encoded.arrayBuffer()) };
}

function json(body: unknown) {
  if (body === undefined) return { type: {}, bytes: null };
  return { type: { 'content-type': 'application/json' }, bytes: JSON.stringify(body) };
}

/** Returns the header with the pass; no header without one. */
export function passHeaders({ pass }: Via): Record<string, string> {
  return pass === undefined ? {} : { [passHeader]: pass };
}

/** Returns a dispatcher that connects to one address for every host name, like a hosts file. */
function connectTo({ address, ports }: Via): Agent {
  const family = address?.includes(':') ? 6 : 4;
  const connect: buildConnector.BuildOptions = {
    ...anyCertificate,
    ...(address
      ? {
          lookup: (_name, options, done) =>
            options.all ? done(null, [{ address, family }]) : done(null, address, family),
        }
      : {}),
  };
  if (!ports) return new Agent({ connect });
  // HTTP/1.1, because such a connector does not know which requests are upgrades.
  const connector = buildConnector({ ...connect, allowH2: false });
  return new Agent({
    connect: (options, done) =>
      connector({ ...options, port: portIn(ports, options.protocol) }, done),
  });
}

/** Returns the port of a scheme such as `https:`. */
export function portIn(ports: GatewayPorts, protocol: string): string {
  return `${protocol === 'https:' ? ports.https : ports.http}`;
}

/** Returns the JSON of a response. @throws Error for another status or an invalid body */
export function jsonOf(answer: Answer, status = 200): unknown {
  if (answer.status !== status)
    throw new Error(
      inLanguage({
        en: `status ${answer.status} instead of ${status}`,
        zh: `状态为 ${answer.status}，应为 ${status}`,
      }),
    );
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new Error(inLanguage({ en: 'the response is not JSON', zh: '响应不是 JSON' }));
  }
}

/** @throws Error when the status is not one of those expected */
export function expectStatus({ status }: Answer, ...expected: number[]): void {
  if (expected.includes(status)) return;
  throw new Error(
    inLanguage({
      en: `status ${status} instead of ${expected.join(' or ')}`,
      zh: `状态为 ${status}，应为 ${expected.join(' 或 ')}`,
    }),
  );
}
