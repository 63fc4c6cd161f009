import { LandfallError } from '#contract/errors.ts';
import { Dispatchers } from '#http/dispatchers.ts';
import { networkError } from '#http/failures.ts';
import { TransferError } from '#http/transfer-error.ts';

/** The result of one request. */
export interface Reached {
  /** Milliseconds to the header of the response, including the tunnel and TLS. */
  readonly took: number;
  /** Status of the host; undefined if there is no response. */
  readonly status?: number;
  readonly error?: LandfallError;
  /** Status with which the proxy rejected the request. */
  readonly rejection?: number | undefined;
}

export interface ReachOptions {
  /** URL of the proxy, with its login. */
  readonly proxy: string;
  /** PEM of additional authorities. */
  readonly ca?: string | undefined;
  /** Milliseconds; default 10,000. */
  readonly timeout?: number;
}

/** Requests the root of a host through the proxy. Does not follow redirects. */
export async function reachHost(
  host: string,
  { proxy, ca, timeout = 10_000 }: ReachOptions,
): Promise<Reached> {
  const url = new URL(`https://${host}/`);
  const timeouts = { connect: timeout, headers: timeout, body: timeout };
  const dispatchers = new Dispatchers({ proxy, ca, timeouts });
  const start = performance.now();
  const took = () => Math.round(performance.now() - start);
  try {
    const { dispatcher } = dispatchers.routeTo(url);
    const { statusCode, body } = await dispatcher.request({
      ...{ origin: url.origin, path: '/', method: 'GET', headers: { 'user-agent': 'landfall' } },
      signal: AbortSignal.timeout(2 * timeout),
    });
    body.on('error', () => {}).destroy();
    return { took: took(), status: statusCode };
  } catch (cause) {
    const error = errorOf(cause, url, proxy);
    return { took: took(), error, rejection: rejectionOf(error) };
  } finally {
    await dispatchers.close();
  }
}

function errorOf(cause: unknown, url: URL, proxy: string): LandfallError {
  if (cause instanceof LandfallError) return cause;
  return networkError(cause, { url, proxy: new URL(proxy).host });
}

function rejectionOf(error: LandfallError): number | undefined {
  return error instanceof TransferError ? error.status : undefined;
}
