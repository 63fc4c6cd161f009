import type { Site } from '#contract/site/site.ts';
import type { Host } from '../host/host.ts';
import { aptProxy, aptProxyFile } from './apt-proxy.ts';
import { loginSettings } from './login/login-settings.ts';
import { proxyEnv, proxyEnvFile } from './proxy-env.ts';
import { proxychainsSetting } from './proxychains.ts';
import { type Setting, subjectOf } from './setting.ts';

/** Returns all settings files of the route, in the order in which they are written. */
export async function routeSettings({
  host,
  site,
}: {
  readonly host: Host;
  readonly site: Pick<Site, 'route' | 'mirrors' | 'ca'>;
}): Promise<Setting[]> {
  const apt = aptProxy(site);
  const subject = subjectOf(site);
  return [
    { path: aptProxyFile, purpose: 'packages', text: apt?.text, mode: apt?.mode ?? 0o644 },
    { path: proxyEnvFile, purpose: 'services', subject, text: proxyEnv(site), mode: 0o600 },
    ...(await loginSettings(host, site)),
    await proxychainsSetting(host, site),
  ];
}
