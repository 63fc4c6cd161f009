import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { post } from '#http/post.ts';
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
  const { status } = await host.outside.measure(() =>
    post(networkOptions(site), {
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(report),
      timeout: seconds * 1000,
    }),
  );
  if (status >= 200 && status < 300) return;
  throw new LandfallError('HTTP_STATUS', `the webhook at ${url.host} returned status ${status}`);
}
