import { componentNames, componentOf } from '#contract/component-names.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { servedHosts } from '#contract/site/served-hosts.ts';
import type { Site } from '#contract/site/site.ts';
import type { Report } from './report.ts';

/** Returns the public URLs. Without host names, only the UI is public, under the address. */
export function urlsOf(site: Site, address: string): Report['urls'] {
  return componentNames.flatMap((name) => {
    const { title } = componentOf(name);
    const url = urlOf(site, name, address);
    return title === undefined || url === undefined ? [] : [{ part: title, url: `${url}/` }];
  });
}

/** Returns an SSH tunnel for each internal component, with its URL while the tunnel is open. */
export function tunnelsOf(site: Site, login: readonly string[]): Report['tunnels'] {
  return componentNames.flatMap((name) => {
    const { title, path = '/' } = componentOf(name);
    const tunnel = tunnelTo(site, name, login);
    if (title === undefined || tunnel === undefined || !isEnabled(site, name)) return [];
    if (urlOf(site, name, 'ADDRESS') !== undefined) return [];
    return [{ part: title, command: tunnel.command, url: `${tunnel.url}${path}` }];
  });
}

/** Returns the DNS records that the site's host names need. */
export function recordsOf(site: Site, v4: string | undefined, v6: string | undefined) {
  return [...new Set(Object.values(servedHosts(site)))].flatMap((name): Report['records'] => [
    ...(v4 ? [{ name, type: 'A' as const, value: v4 }] : []),
    ...(v6 ? [{ name, type: 'AAAA' as const, value: v6 }] : []),
  ]);
}
