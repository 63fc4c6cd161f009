import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { Dispatchers } from '#http/dispatchers.ts';
import { networkError } from '#http/failures.ts';
import { networkOptions } from '../host/download/download.ts';
import type { Host } from '../host/host.ts';
import type { Report } from './report.ts';

/**
 * Posts the report as JSON to the site's webhook, over the site's route.
 * @param seconds timeout for the whole request
 * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, NETWORK_PROXY, HTTP_STATUS
 */
export async function phoneHome(
  host: Host,
  site: Site,
  webhook: string,
  report: Report,
  seconds = 30,
): Promise<void> {
  const url = new URL(webhook);
  const dispatchers = new Dispatchers(networkOptions(site));
  const signal = AbortSignal.timeout(seconds * 1000);
  try {
    const status = await host.outside.measure(() =>
      post(dispatchers, url, JSON.stringify(report), signal),
    );
    if (status >= 200 && status < 300) return;
    throw new LandfallError('HTTP_STATUS', `the webhook at ${url.host} returned status ${status}`);
  } finally {
    await dispatchers.close();
  }
}

async function post(
  dispatchers: Dispatchers,
  url: URL,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  const { dispatcher, proxy } = dispatchers.routeTo(url);
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'landfall' },
      body,
      signal,
    });
    // The response body is not used.
    answer.body.on('error', () => {}).destroy();
    return answer.statusCode;
  } catch (cause) {
    throw signal.aborted
      ? new LandfallError('NETWORK_TIMEOUT', `the webhook at ${url.host} timed out`, { cause })
      : networkError(cause, { url, proxy });
  }
}
