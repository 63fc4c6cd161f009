import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { readCertificates } from './certificates.ts';
import type { Dispatchers } from './dispatchers.ts';
import { networkError, tooSlow } from './failures.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import { bareHost } from './no-proxy.ts';
import type { NetworkOptions } from './options.ts';
import { type Hop, nextHop, refusal } from './redirect.ts';
import { receive } from './response.ts';
import { safeUrl, withoutUserinfo } from './safe-url.ts';
import { Scheduler } from './schedule.ts';

export type { HttpRequest, HttpResponse } from './message.ts';
export type { NetworkOptions } from './options.ts';

/** Sends HTTP requests through proxies and redirects, with a limit on concurrency per host. */
export class HttpClient {
  readonly #options: NetworkOptions;
  /** Four requests per host at a time. */
  readonly #scheduler = new Scheduler({ perHost: 4 });
  #loading: Promise<Dispatchers> | undefined;

  /** @throws LandfallError NETWORK_TLS for invalid additional authorities */
  constructor(options: NetworkOptions = {}) {
    this.#options = options;
    // Report an invalid certificate immediately, not at the first https request.
    if (options.ca !== undefined) readCertificates(options.ca);
  }

  /**
   * Sends one request. Follows redirects (at most 5; rejects loops and https to http), does not
   * retry, and returns any final status. A body with a status below 300 counts against the limit of
   * its host until it is read completely or discarded. Errors contain only the host of the URL.
   * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, NETWORK_PROXY,
   * HTTP_REDIRECT
   * @throws the abort reason of the signal
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const { method = 'GET', timeout } = request;
    const { follow = method === 'GET' || method === 'HEAD' } = request;
    const limit = timeout === undefined ? undefined : AbortSignal.timeout(Math.ceil(timeout));
    let hop = firstHop(request);
    for (;;) {
      const response = await this.#exchange(hop, request, limit);
      if (!follow) return response;
      const next = nextHop(hop, response.status, response.header('location'));
      if (next === undefined) return response;
      if (request.staysPublic) await this.#refuseInner(hop, next);
      hop = next;
    }
  }

  /** Closes all connections. Running requests fail. */
  async close(): Promise<void> {
    await (await this.#loading)?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #refuseInner(hop: Hop, next: Hop): Promise<void> {
    const dispatchers = await this.#dispatchers();
    const isInner = async ({ url }: Hop) =>
      leadsInside(url, dispatchers.routeTo(url).proxy === undefined);
    if ((await isInner(next)) && !(await isInner(hop))) {
      throw refusal(hop, `leads to the inner address ${safeUrl(next.url)}`);
    }
  }

  /** undici takes a tenth of a second to load, and a build without changes needs no network. */
  #dispatchers(): Promise<Dispatchers> {
    this.#loading ??= import('./dispatchers.ts').then(
      ({ Dispatchers }) => new Dispatchers(this.#options),
    );
    return this.#loading;
  }

  async #exchange(
    { url, headers }: Hop,
    { method = 'GET', body, signal, timeout, expectedBytes = 0 }: HttpRequest,
    limit: AbortSignal | undefined,
  ): Promise<HttpResponse> {
    const dispatchers = await this.#dispatchers();
    const route = dispatchers.routeTo(url);
    const { settings, timeouts } = dispatchers;
    const { headers: headersTimeout, body: bodyTimeout } = timeouts;
    const target = { url, proxy: route.proxy, settings };
    const explain = (cause: unknown): unknown => {
      if (signal?.aborted) return signal.reason;
      return limit?.aborted ? tooSlow(target, timeout) : networkError(cause, target);
    };
    const permit = await this.#scheduler.acquire({ host: url.host, bytes: expectedBytes }, signal);
    try {
      const signals = [signal, limit].filter((each) => each !== undefined);
      const answer = await route.dispatcher.request({
        ...{ origin: url.origin, path: `${url.pathname}${url.search}`, method, headers },
        ...{ headersTimeout, bodyTimeout, body: body ?? null },
        signal: signals.length > 1 ? AbortSignal.any(signals) : (signals[0] ?? null),
      });
      // After the end of the stream, a failure or a discard.
      answer.body.once('close', () => permit.release());
      const { statusCode: status, body: raw } = answer;
      return await receive({ status, url, headers: answer.headers, raw, explain }, method);
    } catch (cause) {
      permit.release();
      throw explain(cause);
    }
  }
}

function firstHop({ url, headers, authorization }: HttpRequest): Hop {
  const target = withoutUserinfo(url);
  target.hash = '';
  return {
    url: target,
    // Otherwise a server may compress, and the received bytes would not match.
    headers: {
      'accept-encoding': 'identity',
      'user-agent': 'landfall',
      ...headers,
      ...(authorization === undefined ? {} : { authorization }),
    },
    visited: [target.href],
  };
}

/** Loopback, private, link-local and metadata addresses, and IPv6 ranges that contain them. */
const inner = new BlockList();
// Not 198.18.0.0/15: transparent proxies use it for fake addresses of public hosts.
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '168.63.129.16/32'],
  ...['169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '224.0.0.0/3'],
  ...['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16'],
  ...['fc00::/7', 'fe80::/9', 'ff00::/8'],
]) {
  const [address = '', bits = ''] = range.split('/');
  inner.addSubnet(address, Number(bits), familyOf(address));
}

/** Returns whether an address is not on the public internet. */
function isInner(address: string): boolean {
  return isIP(address) !== 0 && inner.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}

/**
 * Returns whether the host of a URL is this computer or in its network. A name counts if one of its
 * addresses does, and not if it has none.
 * @param resolves whether to look up names; false behind a proxy, which looks them up itself
 */
async function leadsInside(url: URL, resolves: boolean): Promise<boolean> {
  const host = bareHost(url);
  if (isIP(host) !== 0) return isInner(host);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  if (!resolves) return false;
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isInner(address));
}
