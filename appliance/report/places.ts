import { runsRelay } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import type { Report } from './report.ts';

/** What people know the parts as. */
export const partTitles = {
  ui: 'chat UI',
  chat: 'front-end for one provider',
  lobe: 'front-end for many providers',
  relay: 'relay for API clients',
  docs: 'documentation',
  tinyproxy: 'HTTP proxy',
} as const;
type Part = keyof typeof partTitles;

const parts = Object.keys(partTitles) as Part[];

/** Whether the site has this part turned on. */
function isOn(site: Site, part: Part): boolean {
  if (part === 'relay') return runsRelay(site);
  return part === 'chat' || part === 'lobe' ? site.components[part] : true;
}

/** The host name that the gateway serves a part under. */
function hostOf(site: Site, part: Part): string | undefined {
  return part === 'tinyproxy' || !isOn(site, part) ? undefined : site.hosts[part];
}

/** What answers from outside. Without any name it is the UI, under the address. */
export function urlsOf(site: Site, address: string): Report['urls'] {
  const scheme = site.tls.mode === 'off' ? 'http' : 'https';
  return partsOutside(site).map((part) => ({
    part: partTitles[part],
    url: `${scheme}://${hostOf(site, part) ?? bracketed(address)}/`,
  }));
}

/** A command for each part that is not outside; it is where `url` says while the command runs. */
export function tunnelsOf(site: Site, login: readonly string[]): Report['tunnels'] {
  const [ssh = 'ssh', ...rest] = login;
  const outside = new Set(partsOutside(site));
  return parts.flatMap((part) => {
    if (part === 'docs' || !isOn(site, part) || outside.has(part)) return [];
    const port = site.ports[part];
    const command = [ssh, '-N', '-L', `${port}:127.0.0.1:${port}`, ...rest].join(' ');
    const path = part === 'relay' ? '/v1' : '/';
    return [{ part: partTitles[part], command, url: `http://127.0.0.1:${port}${path}` }];
  });
}

function partsOutside(site: Site): Part[] {
  const named = parts.filter((part) => hostOf(site, part));
  return named.length > 0 ? named : ['ui'];
}

/** The DNS entries without which the names lead nowhere. */
export function recordsOf(site: Site, v4: string | undefined, v6: string | undefined) {
  const names = new Set(
    parts.map((part) => hostOf(site, part)).filter((name) => name !== undefined),
  );
  return [...names].flatMap((name): Report['records'] => [
    ...(v4 ? [{ name, type: 'A' as const, value: v4 }] : []),
    ...(v6 ? [{ name, type: 'AAAA' as const, value: v6 }] : []),
  ]);
}

/** An address as it stands in a URL. RFC 3986, section 3.2.2. */
function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
