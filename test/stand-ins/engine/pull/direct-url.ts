import { setTimeout as pause } from 'node:timers/promises';
import type { RedirectPolicy } from './go-http.ts';
import { registryRequest } from './registry-request.ts';

/** Milliseconds within which a registry must return the location of a blob. */
export const directUrlTimeout = 30_000;

/**
 * Finds the location of a blob (`server/download.go`, `run`). Redirects to the same host name are
 * followed. The first one to another name must be a 307; a 200 must have a Location header, which
 * plain registries do not send. Failed requests are repeated until the timeout, and their error is
 * lost.
 * @throws Error with Ollama's message
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
