import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Site } from '#contract/site/site.ts';
import { releaseFolders } from '#contract/site/urls.ts';
import { routeEnvironment } from '../host/download/route-environment.ts';

const timeout = 8000;

/**
 * Returns the times that the download sources of the release report, in milliseconds since 1970.
 * Sources that do not respond are left out. The times are untrusted: certificates are not verified,
 * because a wrong clock would reject them.
 */
export async function dateHints(site: Pick<Site, 'release' | 'route'>): Promise<number[]> {
  // Node does not support SOCKS, and a hint does not justify another client.
  if (site.route.mode === 'socks5') return [];
  // The proxy client does not run yet: the bootstrap downloads the bundle directly, or it is pushed.
  if (site.route.mode === 'client') return await dateHints({ ...site, route: { mode: 'direct' } });
  const proxyEnv = { ...routeEnvironment(site, 'host') };
  const answers = await Promise.all(
    releaseFolders(site).map((url) => requestDate(new URL(url), proxyEnv)),
  );
  return answers.filter((time) => time !== undefined);
}

function requestDate(url: URL, proxyEnv: NodeJS.ProcessEnv): Promise<number | undefined> {
  const options = { method: 'HEAD', signal: AbortSignal.timeout(timeout) };
  return new Promise((resolve) => {
    const request =
      url.protocol === 'https:'
        ? httpsRequest(url, {
            ...options,
            rejectUnauthorized: false,
            agent: new HttpsAgent({ proxyEnv }),
          })
        : httpRequest(url, { ...options, agent: new HttpAgent({ proxyEnv }) });
    request
      .on('response', ({ headers }) => {
        const time = Date.parse(headers.date ?? '');
        resolve(Number.isNaN(time) ? undefined : time);
        request.destroy();
      })
      .on('error', () => resolve(undefined))
      .end();
  });
}
