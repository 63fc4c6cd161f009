import type { ComponentName } from '#contract/components.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { portOf, urlOf } from '#contract/site/endpoints.ts';
import { servedHosts } from '#contract/site/served-hosts.ts';
import { type Answer, type Call, exchange } from './exchange.ts';
import type { Target } from './target.ts';

/** Where a part of the stack answers, as a target sees it. */
export interface Place {
  /** Scheme and host, without a slash at its end. */
  readonly base: string;
  /** Where to connect to, whatever the base says; nothing for loopback. */
  readonly address?: string;
}

/** The hosts that the gateway serves: the site's names, or the bare address where it has none. */
export function gatewayHosts({ site, bareHost }: Target): string[] {
  const names = Object.values(servedHosts(site));
  return names.length > 0 ? names : [bareHost];
}

/** The place of a part at the gateway; nothing where it has no host name. */
function publicPlace(target: Target, part: ComponentName): Place | undefined {
  const { site, bareHost, gateway } = target;
  const base = urlOf(site, part, bareHost);
  return base === undefined ? undefined : { base, address: gateway };
}

/** The same, or else the port on the server's loopback, which SSH tunnels lead to. */
export function placeOf(target: Target, part: ComponentName): Place {
  const place = publicPlace(target, part);
  if (place) return place;
  const port = portOf(target.site, part);
  if (port === undefined) throw new Error(`${part} has no host name and no port`);
  return { base: `http://127.0.0.1:${port}` };
}

/** Why a part cannot be tested at all from here; nothing when it can. */
export function whyNoPlace(target: Target, part: ComponentName): string | undefined {
  if (!isEnabled(target.site, part)) return 'the site has it turned off';
  if (publicPlace(target, part)) return undefined;
  if (portOf(target.site, part) === undefined) return 'it has no host name';
  return target.inside ? undefined : 'it has no host name: only on the server itself';
}

/** Why a part cannot be tested through the gateway; nothing when it can. */
export function whyNotPublic(target: Target, part: ComponentName): string | undefined {
  if (!isEnabled(target.site, part)) return 'the site has it turned off';
  return publicPlace(target, part)
    ? undefined
    : 'it has no host name, so nobody outside reaches it';
}

/** One exchange with a part. */
export async function askPlace(place: Place, path: string, call: Call = {}): Promise<Answer> {
  const { base, address } = place;
  return await exchange(`${base}${path}`, { ...call, ...(address ? { address } : {}) });
}
