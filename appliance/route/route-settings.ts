import type { Site } from '#contract/site/site.ts';
import { hostRouteEnvironment } from '../host/download/route-environment.ts';
import { environmentFile } from '../host/environment-file.ts';
import type { Host } from '../host/host.ts';
import type { Service } from '../host/service.ts';
import { trustVariables } from '../host/trust-variables.ts';
import { aptProxy, aptProxyFile } from './apt-proxy.ts';
import { loginSettings, subjectOf } from './login/login-settings.ts';
import { proxychainsSettings } from './proxychains.ts';

/** Returns the settings files of the route: a file that the site does not need has no text. */
export async function routeSettings({
  host,
  site,
}: {
  readonly host: Host;
  readonly site: Pick<Site, 'route' | 'mirrors' | 'ca'>;
}): Promise<Service> {
  const apt = aptProxy(site);
  const subject = subjectOf(site);
  const files = [
    {
      path: aptProxyFile,
      sets: 'the proxy for packages',
      text: apt?.text,
      mode: apt?.mode ?? 0o644,
    },
    { path: proxyEnvFile, sets: `${subject} for services`, text: proxyEnv(site), mode: 0o600 },
    ...(await loginSettings(host, site)),
    await proxychainsSettings(host, site),
  ];
  return { files };
}

/** Read by systemd (EnvironmentFile=) and by shells; only root may read it: it may contain a password. */
export const proxyEnvFile = 'etc/landfall/proxy.env';

/** Returns the variables of SPEC 2.2 (proxy and CA), one per line, or undefined if there are none. */
export function proxyEnv(site: Pick<Site, 'route' | 'ca'>): string | undefined {
  return environmentFile({ ...hostRouteEnvironment(site), ...trustVariables(site) }) || undefined;
}
