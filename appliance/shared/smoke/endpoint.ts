import type { ComponentName } from '#contract/components.ts';
import { isEnabled, servedHosts } from '#contract/site/enabled.ts';
import { portOf, urlOf } from '#contract/site/endpoints.ts';
import { inLanguage } from '#contract/text/language.ts';
import { type Answer, type Call, exchange, type Via } from './exchange.ts';
import type { SmokeTarget } from './target.ts';

/** Where a component is reached from a target. */
export interface Endpoint extends Via {
  /** Scheme and host, without a trailing slash. */
  readonly base: string;
}

/** Returns where requests to the gateway connect to, whatever the host of their URL. */
export function viaGateway({ gateway, gatewayPorts, pass }: SmokeTarget): Via {
  return {
    address: gateway,
    ...(gatewayPorts ? { ports: gatewayPorts } : {}),
    ...(pass === undefined ? {} : { pass }),
  };
}

/** Returns the hosts of the gateway: the names of the site, or the server's address without names. */
export function gatewayHosts({ site, bareHost }: SmokeTarget): string[] {
  const names = Object.values(servedHosts(site));
  return names.length > 0 ? names : [bareHost];
}

/** Returns the endpoint of a component at the gateway; undefined without a host name. */
function publicEndpoint(target: SmokeTarget, name: ComponentName): Endpoint | undefined {
  const { site, bareHost } = target;
  const base = urlOf(site, name, bareHost);
  return base === undefined ? undefined : { base, ...viaGateway(target) };
}

/** Returns the endpoint at the gateway, or else the loopback port that SSH tunnels forward. */
export function endpointOf(target: SmokeTarget, name: ComponentName): Endpoint {
  const endpoint = publicEndpoint(target, name);
  if (endpoint) return endpoint;
  const port = portOf(target.site, name);
  if (port === undefined) throw new Error(`${name} has no host name and no port`);
  return { base: `http://127.0.0.1:${port}` };
}

/** Returns why a component cannot be tested from the target; undefined when it can. */
export function whyNoEndpoint(target: SmokeTarget, name: ComponentName): string | undefined {
  if (!isEnabled(target.site, name))
    return inLanguage({ en: 'the site has it turned off', zh: '站点没有启用' });
  if (publicEndpoint(target, name)) return undefined;
  if (portOf(target.site, name) === undefined)
    return inLanguage({ en: 'it has no host name', zh: '没有域名' });
  return target.inside
    ? undefined
    : inLanguage({
        en: 'it has no host name: reachable on the server only',
        zh: '没有域名，只能在服务器上访问',
      });
}

/** Returns why a component cannot be tested through the gateway; undefined when it can. */
export function whyNotPublic(target: SmokeTarget, name: ComponentName): string | undefined {
  if (!isEnabled(target.site, name))
    return inLanguage({ en: 'the site has it turned off', zh: '站点没有启用' });
  return publicEndpoint(target, name)
    ? undefined
    : inLanguage({
        en: 'it has no host name, so the gateway does not serve it',
        zh: '没有域名，网关不提供它',
      });
}

/** Sends a request to an endpoint. */
export async function callEndpoint(
  endpoint: Endpoint,
  path: string,
  call: Call = {},
): Promise<Answer> {
  const { base, ...via } = endpoint;
  return await exchange(`${base}${path}`, { ...call, ...via });
}
