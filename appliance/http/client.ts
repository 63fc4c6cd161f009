import { Dispatchers } from './dispatchers.ts';
import { networkError } from './failures.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import type { NetworkOptions } from './options.ts';
import { type Hop, nextHop } from './redirect.ts';
import { receive } from './response.ts';
import { withoutUserinfo } from './safe-url.ts';
import { type Permit, Scheduler } from './schedule.ts';

export type { HttpRequest, HttpResponse } from './message.ts';
export type { NetworkOptions } from './options.ts';

/** Speaks HTTP through proxies and redirects, with a bound on what runs at a time per host. */
export class HttpClient {
  readonly #dispatchers: Dispatchers;
  readonly #scheduler: Scheduler;

  /** @throws LandfallError NETWORK_TLS when the additional authorities cannot be read */
  constructor(options: NetworkOptions = {}) {
    this.#dispatchers = new Dispatchers(options);
    this.#scheduler = new Scheduler({ perHost: options.concurrencyPerHost ?? 4 });
  }

  /**
   * One exchange. Redirects are followed (at most 5; loops and https to http are refused), nothing
   * is retried, any final status is given back. A body that came with a status below 300 holds a
   * place of its host until it is read to its end or discarded.
   * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, NETWORK_PROXY, HTTP_REDIRECT
   * @throws the reason of the signal when that is aborted
   */
  async request(request: HttpRequest): Promise<HttpResponse> {
    let hop: Hop | undefined = firstHop(request);
    for (;;) {
      const response = await this.#exchange(hop, request);
      if (request.form !== undefined) return response;
      hop = nextHop(hop, response.status, response.header('location'));
      if (hop === undefined) return response;
    }
  }

  /** Cuts every connection; requests under way fail. */
  close(): Promise<void> {
    return this.#dispatchers.close();
  }

  async #exchange({ url, headers }: Hop, request: HttpRequest): Promise<HttpResponse> {
    const { method = 'GET', form, signal, expectedBytes = 0 } = request;
    const route = this.#dispatchers.routeTo(url);
    const { settings, timeouts } = this.#dispatchers;
    const { headers: headersTimeout, body: bodyTimeout } = timeouts;
    const place = { url, proxy: route.proxy, settings };
    const explain = (cause: unknown): unknown =>
      signal?.aborted === true ? signal.reason : networkError(cause, place);
    const permit = await this.#scheduler.acquire({ host: url.host, bytes: expectedBytes }, signal);
    try {
      const options = { origin: url.origin, path: `${url.pathname}${url.search}`, method, headers };
      const answer = await route.dispatcher.request({
        ...options,
        ...(form === undefined ? {} : posted(form, headers)),
        headersTimeout,
        bodyTimeout,
        signal: signal ?? null,
      });
      releaseWith(answer.body, permit);
      const { statusCode: status, body: raw } = answer;
      return await receive({ status, url, headers: answer.headers, raw, explain }, method);
    } catch (cause) {
      permit.release();
      throw explain(cause);
    }
  }
}

function posted(form: Readonly<Record<string, string>>, headers: Hop['headers']) {
  const type = 'application/x-www-form-urlencoded';
  const body = new URLSearchParams(form).toString();
  return { method: 'POST' as const, headers: { ...headers, 'content-type': type }, body };
}

/** A stream closes once, after its end, its failure and its abandoning alike. */
function releaseWith(body: NodeJS.EventEmitter, permit: Permit): void {
  body.once('close', () => permit.release());
}

function firstHop({ url, headers, authorization }: HttpRequest): Hop {
  const target = withoutUserinfo(url);
  target.hash = '';
  return {
    url: target,
    // Without a wish for plain bytes a server may compress, and what arrives would not match.
    headers: {
      'accept-encoding': 'identity',
      'user-agent': 'landfall',
      ...headers,
      ...(authorization === undefined ? {} : { authorization }),
    },
    visited: [target.href],
  };
}
