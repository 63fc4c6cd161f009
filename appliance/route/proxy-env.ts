import type { Site } from '#contract/site/site.ts';
import { hostRouteEnvironment } from '../host/download/route-environment.ts';
import { environmentFile } from '../host/environment-file.ts';

/** Read by systemd (EnvironmentFile=) and by shells; only root may read it: it may contain a password. */
export const proxyEnvFile = 'etc/landfall/proxy.env';

/** Returns the variables of SPEC 2.2, one per line, or undefined if the route has none. */
export function proxyEnv(site: Pick<Site, 'route'>): string | undefined {
  return environmentFile(hostRouteEnvironment(site)) || undefined;
}
