import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Site } from '#contract/site/site.ts';
import { routeEnvironment } from '../host/download/route-environment.ts';

const timeout = 8000;

/**
 * What the places that hold the release say the time is, in milliseconds since 1970; fewer where
 * some do not answer. Certificates are not checked, which a wrong clock would make impossible: what
 * comes back is no more than a hint.
 */
export async function dateHints(site: Pick<Site, 'release' | 'route'>): Promise<number[]> {
  // Another program than Node's own fetch has to speak SOCKS, and the hint is not worth it.
  if (site.route.mode === 'socks5') return [];
  const proxyEnv = { ...routeEnvironment(site) };
  const answers = await Promise.all(site.release.map((place) => askDate(new URL(place), proxyEnv)));
  return answers.filter((time) => time !== undefined);
}

function askDate(url: URL, proxyEnv: NodeJS.ProcessEnv): Promise<number | undefined> {
  const options = { method: 'HEAD', signal: AbortSignal.timeout(timeout) };
  return new Promise((resolve) => {
    const asking =
      url.protocol === 'https:'
        ? httpsRequest(url, {
            ...options,
            rejectUnauthorized: false,
            agent: new HttpsAgent({ proxyEnv }),
          })
        : httpRequest(url, { ...options, agent: new HttpAgent({ proxyEnv }) });
    asking
      .on('response', ({ headers }) => {
        const time = Date.parse(headers.date ?? '');
        resolve(Number.isNaN(time) ? undefined : time);
        asking.destroy();
      })
      .on('error', () => resolve(undefined))
      .end();
  });
}
