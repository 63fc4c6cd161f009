import type { Site } from '#contract/site/site.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import type { BootstrapFile } from '../bootstrap-files.ts';
import type { BootSettings } from './boot-settings.ts';

/**
 * Returns the comment at the start of user-data: what the server does, how to stop it, the embedded
 * scripts, the trusted keys, and whether the user-data contains a secret.
 */
export function openingComment(
  { product, version }: BootSettings,
  site: Site,
  { release, recovery }: TrustedKeys,
  bootstrap: readonly BootstrapFile[],
): string[] {
  return [
    `${product} ${version}: paste this whole file as the user-data of a new server. As root, the server`,
    `${site.release === 'push' ? 'waits until you send this release' : 'downloads this release'}, verifies it and sets up your account, sudo, SSH (keys only), firewall,`,
    'fail2ban, kernel settings, security updates, Docker and the AI stack.',
    'Follow: journalctl -fu landfall-boot',
    'Stop for good: systemctl disable --now landfall-boot',
    'Source: appliance/bootstrap of Landfall. SHA-256, as in release.json:',
    ...bootstrap.map(({ name, sha256 }) => ` ${sha256}  ${name}`),
    'It runs only what these keys signed. Compare them with the published ones:',
    ...release.map(({ id }) => ` release key  ${formatKeyId(id)}`),
    ...(recovery ? [` recovery key ${formatKeyId(recovery.id)}`] : []),
    hasRoutePassword(site)
      ? 'It contains the password of your proxy: your provider and every process on the server can read it.'
      : 'It contains no secret.',
  ];
}

/** Returns whether the site contains a proxy password, the only secret that it may contain. */
export function hasRoutePassword({ route }: Site): boolean {
  return 'url' in route && new URL(route.url).password !== '';
}
