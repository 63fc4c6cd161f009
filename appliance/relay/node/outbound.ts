import { pipeline, type Readable } from 'node:stream';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { Dispatchers } from '#http/dispatchers.ts';
import { networkError } from '#http/failures.ts';
import type { NetworkOptions } from '#http/options.ts';
import type { RelayConfig } from '../config.ts';
import { GrowingBytes } from '../growing-bytes.ts';
import type { Fields, ProviderAnswer } from '../message.ts';
import type { Outgoing, Send } from '../provider.ts';
import { decompressorFor } from './decompression.ts';

/** Sends requests over the route of the site. */
interface Outbound {
  readonly send: Send;
  /** Closes every connection. */
  close(): Promise<void>;
}

/**
 * Opens the egress of the relay: direct, through an HTTP proxy or through SOCKS5.
 * @param ca PEM of additional certificate authorities
 * @throws LandfallError NETWORK_TLS when `ca` is invalid
 */
export function openOutbound({ route, local, timeouts }: RelayConfig, ca?: string): Outbound {
  const dispatchers = new Dispatchers({
    env: proxyVariables(route, local ? [new URL(local.base_url).hostname] : []),
    ca,
    // The headers timeout here applies to a proxy's response to CONNECT.
    timeouts: { connect: timeouts.connect * 1000, headers: timeouts.connect * 1000 },
  });
  return {
    send: (url, outgoing) => send(dispatchers, new URL(url), outgoing),
    close: () => dispatchers.close(),
  };
}

/**
 * Returns the route as proxy variables, the format that all of Landfall reads.
 * @param local hosts that a proxy outside of the stack cannot reach
 */
function proxyVariables(
  given: RelayConfig['route'],
  local: readonly string[],
): NonNullable<NetworkOptions['env']> {
  const route = effectiveRoute({ route: given }, 'container');
  if (route.mode === 'direct') return {};
  const exempt = [...route.no_proxy, 'localhost', 'engine', ...local];
  return { http_proxy: route.url, https_proxy: route.url, no_proxy: exempt.join(',') };
}

/** Does not follow redirects. Decompresses a body that was compressed against `Accept-Encoding`. */
async function send(
  dispatchers: Dispatchers,
  url: URL,
  outgoing: Outgoing,
): Promise<ProviderAnswer> {
  const answer = await ask(dispatchers, url, outgoing);
  const { statusCode: status } = answer;
  const headers = fieldsOf(answer.headers);
  if (hasBody(status)) return { status, headers, body: unpacked(answer.body, headers) };
  answer.body.resume();
  return { status, headers, body: null };
}

async function ask(dispatchers: Dispatchers, url: URL, outgoing: Outgoing) {
  const { dispatcher, proxy } = dispatchers.routeTo(url);
  const body = await joinedIfSmall(outgoing);
  try {
    return await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: outgoing.method as 'GET' | 'POST',
      headers: outgoing.headers,
      // undici takes any iterable.
      body: body as Uint8Array | Readable | null,
      signal: outgoing.signal,
      // The relay has its own timeouts for headers and chunks.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  } catch (cause) {
    throw networkError(cause, { url, proxy });
  }
}

/** Bytes of a body that is sent in one piece. */
const small = 64 * 1024;

/**
 * Reads a small body to its end, which costs less than pieces. undici also closes a connection whose response comes
 * before it has seen the end of a body in pieces.
 */
async function joinedIfSmall({ body, headers }: Outgoing): Promise<Outgoing['body']> {
  const length = Number(headers['content-length']);
  if (body === null || body instanceof Uint8Array || !(length <= small)) return body;
  const read = new GrowingBytes(length);
  for await (const chunk of body) read.push(chunk);
  return read.take();
}

/** Fetch standard, "null body status". */
function hasBody(status: number): boolean {
  return ![204, 205, 304].includes(status);
}

/** Returns the headers of a message of Node, whose names are in lower case. */
export function fieldsOf(raw: Readonly<Record<string, string | string[] | undefined>>): Fields {
  return {
    get: (name) => {
      const value = raw[name] ?? null;
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}

/**
 * Decompresses a body, because filters cannot read a compressed one.
 * @throws Error with code ENCODING_UNKNOWN for an unsupported encoding
 */
function unpacked(body: Readable, headers: Fields): Readable {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return body;
  const decompressor = decompressorFor(encoding);
  if (!decompressor) {
    body.destroy();
    throw Object.assign(new Error('unsupported content encoding'), {
      code: 'ENCODING_UNKNOWN',
    });
  }
  // The reader receives errors of both streams.
  return pipeline(body, decompressor, () => {});
}
