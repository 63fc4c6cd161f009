import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Dispatchers } from '#http/dispatchers.ts';
import { networkError } from '#http/failures.ts';
import type { NetworkOptions } from '#http/options.ts';
import type { RelayConfig } from '../config.ts';
import type { Outgoing, Send } from '../env.ts';
import { unpacked } from './unpacked.ts';

/** The way out of a server: sends over the site's route. */
interface Outbound {
  readonly send: Send;
  /** Cuts every connection. */
  close(): Promise<void>;
}

/**
 * Opens the way out: direct, through an HTTP proxy or through SOCKS5.
 * @param ca PEM of additional authorities
 * @throws LandfallError NETWORK_TLS when those cannot be read
 */
export function openOutbound({ route, timeouts }: RelayConfig, ca?: string): Outbound {
  const dispatchers = new Dispatchers({
    env: proxyVariables(route),
    ca,
    // The heads that these wait for are those of proxies, which answer a CONNECT.
    timeouts: { connect: timeouts.connect * 1000, headers: timeouts.connect * 1000 },
  });
  return {
    send: (url, outgoing) => send(dispatchers, new URL(url), outgoing),
    close: () => dispatchers.close(),
  };
}

/** A route in the words of the environment, which every part of Landfall reads alike. */
function proxyVariables(route: RelayConfig['route']): NonNullable<NetworkOptions['env']> {
  if (route.mode === 'direct') return {};
  // The engine is in the same stack; no proxy outside could reach it.
  const exempt = [...route.no_proxy, 'localhost', 'engine'];
  return { http_proxy: route.url, https_proxy: route.url, no_proxy: exempt.join(',') };
}

/** Follows no redirect. Unpacks a body that was compressed although the relay asked for identity. */
async function send(dispatchers: Dispatchers, url: URL, outgoing: Outgoing): Promise<Response> {
  const answer = await ask(dispatchers, url, outgoing);
  const { statusCode: status } = answer;
  const headers = headersOf(answer.headers);
  if (hasBody(status)) {
    const body = Readable.toWeb(unpacked(answer.body, headers)) as ReadableStream;
    return new Response(body, { status, headers });
  }
  answer.body.resume();
  return new Response(null, { status, headers });
}

async function ask(dispatchers: Dispatchers, url: URL, outgoing: Outgoing) {
  const { dispatcher, proxy } = dispatchers.routeTo(url);
  try {
    return await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: outgoing.method as 'GET' | 'POST',
      headers: Object.fromEntries(outgoing.headers),
      body: outgoing.body && Readable.fromWeb(outgoing.body as NodeStream<Uint8Array>),
      signal: outgoing.signal,
      // The relay itself says how long it waits for an answer and for its pieces.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  } catch (cause) {
    throw networkError(cause, { url, proxy });
  }
}

/** Fetch standard, "null body status". */
function hasBody(status: number): boolean {
  return ![204, 205, 304].includes(status);
}

function headersOf(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(raw)) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  return headers;
}
