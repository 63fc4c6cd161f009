import type { Site } from '../site.ts';

/**
 * The settings of systemd-resolved, for all interfaces. The name sorts after those of other files,
 * because `DNS=` and `Domains=` replace the values of earlier files only.
 */
export const resolvedFile = 'etc/systemd/resolved.conf.d/zz-landfall-dns.conf';

/**
 * Renders the settings of systemd-resolved. `~.` sends all names to these servers; only names in a
 * search domain of an interface go to the servers of that interface. See resolved.conf(5).
 */
export function renderResolved({ nameserver, search, tls }: NonNullable<Site['dns']>): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
[Resolve]
DNS=
DNS=${nameserver.join(' ')}
Domains=
Domains=${['~.', ...search].join(' ')}
DNSOverTLS=${tls ? 'yes' : 'no'}
`;
}
