import type { Site } from '#contract/site.ts';
import { routeEnvironment } from '../host/route-environment.ts';

/** For systemd's EnvironmentFile= and for `.` in a shell; root's alone, it may hold a password. */
export const proxyEnvFile = 'etc/landfall/proxy.env';

/** The variables of SPEC 2.2, one a line, or nothing where the site's route has none. */
export function proxyEnv(site: Pick<Site, 'route'>): string | undefined {
  const variables = Object.entries(routeEnvironment(site));
  if (variables.length === 0) return undefined;
  // A site's URLs and names hold no quotes, and systemd and sh agree on single ones.
  return variables.map(([name, value]) => `${name}='${value}'\n`).join('');
}
