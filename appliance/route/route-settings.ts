import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import type { Service } from '../host/service.ts';
import { aptProxy, aptProxyFile } from './apt-proxy.ts';
import { loginSettings, subjectOf } from './login/login-settings.ts';
import { proxyEnv, proxyEnvFile } from './proxy-env.ts';
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
