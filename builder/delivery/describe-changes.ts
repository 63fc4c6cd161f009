import type { Release } from '#contract/bundle/release.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatTable } from '#contract/text/table.ts';
import type { Server } from '../../appliance/host/server.ts';

/** Formats what the installation changes on a server, for the question whether to go on. */
export function describeChanges(
  name: string,
  server: Server,
  release: Release,
  site: Site,
): string {
  const { id, version } = server.distribution;
  const components = chosenImages(release, site).map(({ component }) => component);
  const opened = ['SSH', '80', '443', ...site.firewall.allow];
  return formatTable([
    [
      'server',
      `${name}: ${id} ${version}, ${server.arch}, ${formatBytes(server.memory)} memory, ${formatBytes(server.freeDisk)} free`,
    ],
    ['installs', `${release.product} ${release.version}: Docker with ${components.join(', ')}`],
    ['account', `${site.admin.user}, with sudo, only with the SSH keys of the site`],
    ['SSH', 'no passwords and no login as root any more'],
    ['firewall', `only ${opened.join(', ')} stay open`],
    ['system', 'fail2ban, kernel settings, automatic security updates'],
  ]);
}
