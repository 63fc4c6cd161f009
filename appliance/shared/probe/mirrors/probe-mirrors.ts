import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import type { ProxyServer } from '#http/proxy.ts';
import type { Attempt } from '../exchange/attempt.ts';
import type { ProbeNetwork, Route } from '../exchange/network.ts';
import { send } from '../exchange/send.ts';
import type { MirrorTarget } from './mirror-targets.ts';

/** What the probe found about one mirror. */
interface MirrorReport {
  readonly field: string;
  /** The request that worked, else the first one. */
  readonly url: string;
  readonly works: boolean;
  readonly route: 'direct' | 'proxy';
  readonly status?: number;
  /** Why it does not work; contains no text of the mirror. */
  readonly reason?: string;
}

/** Requests each mirror directly, and through the proxy if that fails. All mirrors at once. */
export async function probeMirrors(
  targets: readonly MirrorTarget[],
  network: ProbeNetwork,
  proxyFor: (url: URL) => ProxyServer | undefined = () => undefined,
): Promise<MirrorReport[]> {
  return await Promise.all(
    targets.map(async (target) => {
      const direct = await probeOver(target, () => ({}), 'direct', network);
      const isProxied = target.urls.some((url) => proxyFor(url) !== undefined);
      if (direct.works || !isProxied) return direct;
      return await probeOver(target, (url) => routeOf(proxyFor(url)), 'proxy', network);
    }),
  );
}

function routeOf(proxy: ProxyServer | undefined): Route {
  return proxy === undefined ? {} : { proxy };
}

async function probeOver(
  { field, urls, statuses }: MirrorTarget,
  routeTo: (url: URL) => Route,
  route: MirrorReport['route'],
  network: ProbeNetwork,
): Promise<MirrorReport> {
  const failed: MirrorReport[] = [];
  for (const url of urls) {
    const { attempt } = await send({ url }, routeTo(url), network);
    const { status } = attempt;
    const reason = reasonOf(attempt, statuses);
    const found = { field, url: url.href, route, ...(status === undefined ? {} : { status }) };
    if (reason === undefined) return { ...found, works: true };
    failed.push({ ...found, works: false, reason });
  }
  const [first] = failed;
  if (first === undefined) throw new TypeError('a mirror without a request');
  return first;
}

/** A redirect counts as working, because apt, npm and pip follow it. */
function reasonOf(
  { status = 0, failure }: Attempt,
  statuses: readonly number[],
): string | undefined {
  if (failure !== undefined) return failure.reason;
  return statuses.includes(status) || (status >= 300 && status < 400)
    ? undefined
    : `status ${status}`;
}

/** Formats reports as a table, one line per mirror. */
export function mirrorTable(reports: readonly MirrorReport[]): string {
  const rows = reports.map(({ field, url, works, route, status, reason }) => [
    field,
    plainLine(new URL(url).host, 64),
    works
      ? `works${route === 'proxy' ? ' through the proxy' : ''} (status ${status})`
      : `FAILED: ${reason}`,
  ]);
  return alignRows([['field', 'mirror', 'result'], ...rows]).join('\n');
}
