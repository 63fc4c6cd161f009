import type { Site } from '#contract/site/site.ts';
import { hostRouteEnvironment } from '../host/download/route-environment.ts';
import { environmentFile } from '../host/environment-file.ts';
import { trustVariables } from '../host/trust-variables.ts';

/** Read by systemd (EnvironmentFile=) and by shells; only root may read it: it may contain a password. */
export const proxyEnvFile = 'etc/landfall/proxy.env';

/** Returns the variables of SPEC 2.2 (proxy and CA), one per line, or undefined if there are none. */
export function proxyEnv(site: Pick<Site, 'route' | 'ca'>): string | undefined {
  return environmentFile({ ...hostRouteEnvironment(site), ...trustVariables(site) }) || undefined;
}
