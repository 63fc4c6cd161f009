import { LandfallError } from '#contract/errors.ts';
import { isLoopback, type ProxyServer } from '#http/proxy.ts';
import type { ProbeNetwork, Route } from '../exchange/route.ts';
import { send } from '../exchange/send.ts';
import { excerptOf, type HubAttempt, outcomeOf } from './outcome.ts';

/** An inference request to a model hub (SPEC 4, E4). */
interface HubRequest {
  /** The URL that precedes `/models/<model>`. */
  readonly base: URL;
  /** Such as `org/name`. */
  readonly model: string;
  readonly inputs: string;
  readonly token: string;
}

/** What the probe found about the hub. */
export interface HubReport {
  readonly url: string;
  readonly direct: HubAttempt;
  /** Absent without a proxy, and if the direct request was answered. */
  readonly proxy?: HubAttempt;
  /** Host and port of the proxy, without its login. */
  readonly through?: string;
}

/** More than the beginning that is shown. Bytes. */
const largest = 4096;

/** Sends the request directly, and through the proxy if that is not answered: answers cost money. */
export async function probeHub(
  request: HubRequest,
  network: ProbeNetwork,
  proxyFor: (url: URL) => ProxyServer | undefined,
): Promise<HubReport> {
  const url = hubUrl(request.base, request.model);
  const ask = (route: Route) => askHub(url, request, route, network);
  const direct = await ask({});
  const proxy = direct.outcome === 'answered' ? undefined : proxyFor(url);
  if (proxy === undefined) return { url: url.href, direct };
  return { url: url.href, direct, proxy: await ask({ proxy }), through: proxy.url.host };
}

/**
 * Returns the URL of a model.
 * @throws LandfallError USAGE for an invalid model, and for a URL that would send the token in plain text
 */
export function hubUrl(base: URL, model: string): URL {
  if (!/^[\w-][\w.-]{0,95}(?:\/[\w-][\w.-]{0,95})?$/.test(model)) {
    throw new LandfallError('USAGE', 'the name of the model is invalid', {
      hint: 'Use a name such as org/model.',
    });
  }
  if (base.protocol !== 'https:' && !isLoopback(base)) {
    throw new LandfallError('USAGE', 'the URL of the hub does not encrypt the token', {
      hint: 'Use an https URL.',
    });
  }
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}/models/${model}`);
}

async function askHub(
  url: URL,
  { inputs, token }: HubRequest,
  route: Route,
  network: ProbeNetwork,
): Promise<HubAttempt> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ inputs });
  const call = { url, method: 'POST', headers, body, maxBytes: largest } as const;
  const { attempt, answer } = await send(call, route, network);
  const text = answer === undefined ? '' : excerptOf(answer.body, token);
  return { ...attempt, outcome: outcomeOf(attempt), ...(text === '' ? {} : { text }) };
}
