import { LandfallError } from '#contract/errors.ts';
import type { HttpRequest, HttpResponse } from './message.ts';
import type { NetworkOptions } from './options.ts';

export type { HttpRequest, HttpResponse } from './message.ts';
export type { NetworkOptions } from './options.ts';

/** Speaks HTTP through proxies and redirects, with a bound on what runs at a time per host. */
export class HttpClient {
  readonly options: NetworkOptions;

  constructor(options: NetworkOptions = {}) {
    this.options = options;
  }

  /**
   * One exchange. Redirects are followed (at most 5; loops and https to http are refused), nothing
   * is retried, any final status is given back.
   * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, NETWORK_PROXY, HTTP_REDIRECT
   */
  async request(request: HttpRequest): Promise<HttpResponse> {
    throw new LandfallError('NETWORK_UNREACHABLE', `${request.url.origin} is not reachable yet`);
  }

  async close(): Promise<void> {}
}
