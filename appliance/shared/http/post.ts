import { LandfallError } from '#contract/errors.ts';
import { readAtMost } from '#contract/text/bytes.ts';
import { decodeUtf8 } from '#contract/text/utf8.ts';
import { Dispatchers } from './dispatchers.ts';
import { networkError } from './failures.ts';
import type { NetworkOptions } from './options.ts';

/** A request with a body. */
interface Post {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string;
  /** Milliseconds for the whole request. */
  readonly timeout: number;
  /** Maximum bytes of the response body to read; the rest is discarded. Default: 0. */
  readonly maxBytes?: number | undefined;
}

/** The response to a {@link Post}. */
export interface Posted {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** At most `maxBytes` of the body. */
  readonly text: string;
}

/**
 * Sends one POST request. Does not retry and does not follow redirects, because the URL and the body
 * may contain secrets. Errors contain only the host of the URL.
 * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, NETWORK_PROXY
 */
export async function post(options: NetworkOptions, request: Post): Promise<Posted> {
  const { url, headers = {}, body, timeout, maxBytes = 0 } = request;
  const dispatchers = new Dispatchers(options);
  const signal = AbortSignal.timeout(timeout);
  let proxy: string | undefined;
  try {
    const route = dispatchers.routeTo(url);
    proxy = route.proxy;
    const answer = await route.dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: { 'user-agent': 'landfall', 'accept-encoding': 'identity', ...headers },
      body,
      signal,
    });
    answer.body.on('error', () => {});
    const text = maxBytes === 0 ? '' : decodeUtf8(await readAtMost(answer.body, maxBytes));
    answer.body.destroy();
    return { status: answer.statusCode, headers: answer.headers, text };
  } catch (cause) {
    if (cause instanceof LandfallError) throw cause;
    const { settings } = dispatchers;
    if (!signal.aborted) throw networkError(cause, { url, proxy, settings });
    throw new LandfallError('NETWORK_TIMEOUT', `${url.host} did not respond in time`, { cause });
  } finally {
    await dispatchers.close();
  }
}
