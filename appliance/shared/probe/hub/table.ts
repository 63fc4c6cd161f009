import { formatLatency } from '#contract/text/duration.ts';
import { alignRows } from '#contract/text/table.ts';
import type { HubAttempt, HubOutcome } from './outcome.ts';
import type { HubReport } from './probe-hub.ts';

const sentences: Readonly<Record<HubOutcome, string>> = {
  answered: 'the hub works, and its token is valid',
  'token-rejected': 'the hub rejected the token; create a new one with permission for inference',
  denied: 'access denied; use a proxy or a relay, or check the permissions of the token',
  'model-unknown': 'the hub does not serve this model; use another model',
  'request-rejected': 'the model rejected the input; use --inputs or another model',
  loading: 'the model is loading; try again in a minute',
  'rate-limited': 'rate-limited by the hub; try again later',
  failed: 'no route to the hub works; use a proxy or a relay',
};

/** Returns the result of the route that came furthest. */
export function bestAttempt({ direct, proxy }: HubReport): HubAttempt {
  return proxy !== undefined && (proxy.outcome !== 'failed' || direct.outcome === 'failed')
    ? proxy
    : direct;
}

/** Formats a report as a table that ends with a one-line verdict. */
export function hubTable(report: HubReport): string {
  const { url, direct, proxy, through } = report;
  const best = bestAttempt(report);
  const route = best === proxy ? ` through the proxy ${through}` : '';
  const rows = [
    ['hub', url],
    ['direct', resultOf(direct)],
    ...(proxy === undefined ? [] : [['proxy', resultOf(proxy)]]),
    ...(best.text === undefined ? [] : [['response', best.text]]),
    ['verdict', `${sentences[best.outcome]}${best.outcome === 'answered' ? route : ''}`],
  ];
  return alignRows(rows).join('\n');
}

function resultOf({ failure, status, steps }: HubAttempt): string {
  const took = formatLatency(steps.reduce((sum, step) => sum + step.took, 0));
  return failure === undefined ? `status ${status} after ${took}` : `FAILED: ${failure.reason}`;
}
