import type { Site } from '#contract/site/site.ts';
import { routeEnvironment } from '../host/download/route-environment.ts';
import { environmentFile } from '../host/environment-file.ts';

/** For systemd's EnvironmentFile= and for `.` in a shell; root's alone, it may hold a password. */
export const proxyEnvFile = 'etc/landfall/proxy.env';

/** The variables of SPEC 2.2, one a line, or nothing where the site's route has none. */
export function proxyEnv(site: Pick<Site, 'route'>): string | undefined {
  return environmentFile(routeEnvironment(site)) || undefined;
}
