import { componentNames, componentOf } from '#contract/component-names.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { servedHosts } from '#contract/site/served-hosts.ts';
import type { Site } from '#contract/site/site.ts';
import type { Report } from './report.ts';

/** What answers from outside. Without any name it is the UI, under the address. */
export function urlsOf(site: Site, address: string): Report['urls'] {
  return componentNames.flatMap((name) => {
    const { title } = componentOf(name);
    const url = urlOf(site, name, address);
    return title === undefined || url === undefined ? [] : [{ part: title, url: `${url}/` }];
  });
}

/** A command for each component that is not outside; it is where `url` says while the command runs. */
export function tunnelsOf(site: Site, login: readonly string[]): Report['tunnels'] {
  return componentNames.flatMap((name) => {
    const { title, path = '/' } = componentOf(name);
    const tunnel = tunnelTo(site, name, login);
    if (title === undefined || tunnel === undefined || !isEnabled(site, name)) return [];
    if (urlOf(site, name, 'ADDRESS') !== undefined) return [];
    return [{ part: title, command: tunnel.command, url: `${tunnel.url}${path}` }];
  });
}

/** The DNS entries without which the names lead nowhere. */
export function recordsOf(site: Site, v4: string | undefined, v6: string | undefined) {
  return [...new Set(Object.values(servedHosts(site)))].flatMap((name): Report['records'] => [
    ...(v4 ? [{ name, type: 'A' as const, value: v4 }] : []),
    ...(v6 ? [{ name, type: 'AAAA' as const, value: v6 }] : []),
  ]);
}
