import { parseJson } from '#contract/text/json.ts';
import { ipVersion } from '#platform/ip.ts';
import type { Attempt } from './exchange/attempt.ts';
import type { ProbeNetwork, Route } from './exchange/network.ts';
import { send } from './exchange/send.ts';

/** The address from which a server sees this machine, or why it is unknown. */
export type Egress =
  | { readonly address: string }
  | { readonly failure: NonNullable<Attempt['failure']> };

/** More than any response of an echo service. Bytes. */
const max = 4096;

/** Asks an echo service for the egress address over one route (SPEC 4, E6). */
export async function egressOver(route: Route, echo: URL, network: ProbeNetwork): Promise<Egress> {
  const call = {
    url: echo,
    headers: { accept: 'application/json, text/plain' },
    maxBytes: max,
  };
  const { attempt, answer } = await send(call, route, network);
  if (attempt.failure !== undefined) return { failure: attempt.failure };
  const address = answer?.status === 200 ? addressIn(answer.body.toString('utf8')) : undefined;
  if (address !== undefined) return { address };
  const failed = { step: 'http', code: 'HTTP_STATUS' } as const;
  return { failure: { ...failed, reason: 'the response of the echo service has no address' } };
}

/** Returns the address of a response: plain text, or JSON with `ip` or `origin`. */
function addressIn(text: string): string | undefined {
  const fields = fieldsOf(text);
  const [first = ''] = (fields === undefined ? text : `${fields.ip ?? fields.origin}`).split(',');
  const address = first.trim();
  return ipVersion(address) !== 0 && !address.includes('%') ? address : undefined;
}

function fieldsOf(text: string): { readonly ip?: unknown; readonly origin?: unknown } | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}
