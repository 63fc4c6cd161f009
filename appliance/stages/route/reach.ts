import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../../server/host/download/download.ts';

/** Sufficient for a slow network. Milliseconds. */
const timeouts = { connect: 15_000, headers: 15_000 };

/** Total limit with redirects, because a slow response delays the result of all requests. Milliseconds. */
const max = 45_000;

interface Reach {
  readonly url: URL;
  readonly failure?: LandfallError;
}

/**
 * Requests all URLs concurrently over the route of the site. Any HTTP status counts as reachable: a
 * registry responds with 401 to anonymous requests.
 */
export async function reach(
  site: Pick<Site, 'route' | 'ca'>,
  urls: readonly string[],
  limit = max,
): Promise<readonly Reach[]> {
  const client = new HttpClient({ ...networkOptions(site), timeouts });
  try {
    return await Promise.all(
      [...new Set(urls)].map((url) => reachUrl(client, new URL(url), limit)),
    );
  } finally {
    await client.close();
  }
}

/**
 * Requests the URLs of one download, of which one is enough. The later ones, such as the origin of a
 * mirror, may be blocked: they are requested only if the first one fails or is slow.
 * @param head milliseconds until the first one counts as slow
 * @returns one reachable URL, or all failures
 */
export async function reachAny(
  site: Pick<Site, 'route' | 'ca'>,
  urls: readonly string[],
  head = 5000,
): Promise<readonly Reach[]> {
  const [first, ...others] = [...new Set(urls)].map((url) => new URL(url));
  if (first === undefined) return [];
  const client = new HttpClient({ ...networkOptions(site), timeouts });
  const found = new AbortController();
  const start = (url: URL) => reachUrl(client, url, max, found.signal);
  try {
    const attempt = start(first);
    const early = await Promise.race([attempt, sleep(head, undefined, { signal: found.signal })]);
    if (early && early.failure === undefined) return [early];
    const attempts = [attempt, ...others.map(start)];
    const succeeded = await Promise.any(attempts.map(orThrow)).catch(() => undefined);
    return succeeded ? [succeeded] : await Promise.all(attempts);
  } finally {
    found.abort();
    await client.close();
  }
}

async function orThrow(attempt: Promise<Reach>): Promise<Reach> {
  const reached = await attempt;
  if (reached.failure) throw reached.failure;
  return reached;
}

async function reachUrl(
  client: HttpClient,
  url: URL,
  limit: number,
  stop?: AbortSignal,
): Promise<Reach> {
  const tooLate = AbortSignal.timeout(limit);
  const enough = new AbortController();
  try {
    const { status } = await client.send({
      url,
      signal: AbortSignal.any([tooLate, enough.signal, ...(stop ? [stop] : [])]),
    });
    return isFromProxy(url, status) ? { url, failure: notForwarded(url, status) } : { url };
  } catch (failure) {
    if (tooLate.aborted) return { url, failure: tooSlow(url, limit) };
    if (failure instanceof LandfallError) return { url, failure };
    throw failure;
  } finally {
    // The headers are enough; the body may be large.
    enough.abort();
  }
}

/**
 * Tells whether the status may be of a proxy that cannot reach a host (RFC 9110, 15.6.3 to 15.6.5).
 * With https it would refuse the tunnel instead.
 */
function isFromProxy({ protocol }: URL, status: number): boolean {
  return protocol === 'http:' && status >= 502 && status <= 504;
}

function notForwarded({ host }: URL, status: number): LandfallError {
  const message = `${host} is not reachable: HTTP status ${status}`;
  return new LandfallError('NETWORK_UNREACHABLE', message, {
    hint: 'Try again later, or set another route or mirror in the site.',
  });
}

function tooSlow(url: URL, limit: number): LandfallError {
  const message = `${url.host} is not reachable: no response within ${limit / 1000} s`;
  return new LandfallError('NETWORK_TIMEOUT', message, {
    hint: 'Set a mirror or a proxy in the site that is closer to this server.',
  });
}

/** Calls a function every 200 ms until it returns a value. Undefined after so many attempts without one. */
export async function poll<Value>(
  attempts: number,
  look: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await sleep(200);
    const found = await look();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a server accepts TCP connections. @param limit milliseconds until it counts as silent */
export async function acceptsTcp(host: string, port: number, limit = 3000): Promise<boolean> {
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(limit) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
