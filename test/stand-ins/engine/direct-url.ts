import { setTimeout as pause } from 'node:timers/promises';
import type { RedirectPolicy } from './go-http.ts';
import { registryRequest } from './registry-request.ts';

/** Milliseconds in which a registry must say where a blob is. */
export const directUrlTimeout = 30_000;

/**
 * Finds where a blob is (`server/download.go`, `run`). Redirects to the same host name are followed.
 * The first one to another name must be a 307; a 200 must carry a Location, which no plain registry
 * sends. Requests that fail are repeated until the time is over, and their error is lost.
 * @throws Error with the text that Ollama shows
 */
export async function directUrl(url: URL, timeout: number): Promise<URL> {
  const deadline = Date.now() + timeout;
  const onRedirect = withinHost(url);
  for (let failures = 1; Date.now() < deadline; failures += 1) {
    const response = await registryRequest({ method: 'GET', url, onRedirect }).catch(() => null);
    if (response === null) {
      await pause(Math.min(10_000, failures ** 2 * 10));
      continue;
    }
    await response.body?.cancel();
    return locationOf(response, url);
  }
  throw new Error('context deadline exceeded');
}

function withinHost({ hostname }: URL): RedirectPolicy {
  return (next, followed) => {
    if (followed > 10) throw new Error('maximum redirects exceeded (10) for directURL');
    return next.hostname === hostname ? 'follow' : 'stop';
  };
}

function locationOf({ status, headers, url }: Response, asked: URL): URL {
  if (status !== 307 && status !== 200) throw new Error(`unexpected status code ${status}`);
  const location = headers.get('location');
  if (location === null) throw new Error('http: no Location header in response');
  return new URL(location, url || asked);
}
