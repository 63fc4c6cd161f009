import type { Site } from '#contract/site/site.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import type { BootstrapFile } from '../bootstrap-files.ts';
import type { BootSettings } from './boot-settings.ts';

/**
 * Returns the lines that a person reads before pasting: what the server will do, how to stop it, which
 * scripts are embedded, which keys are trusted, and whether a secret is inside.
 */
export function openingComment(
  { product, version }: BootSettings,
  site: Site,
  { release, recovery }: TrustedKeys,
  bootstrap: readonly BootstrapFile[],
): string[] {
  return [
    `${product} ${version}: paste this whole file as the user-data of a new server. As root, the server`,
    'downloads this release, verifies it and sets up your account, sudo, SSH (keys only), firewall,',
    'fail2ban, kernel settings, security updates, Docker and the AI stack.',
    'Follow: journalctl -fu landfall-boot',
    'Stop for good: systemctl disable --now landfall-boot',
    'Source: appliance/bootstrap of Landfall. SHA-256, as in release.json:',
    ...bootstrap.map(({ name, sha256 }) => ` ${sha256}  ${name}`),
    'It runs only what these keys signed. Compare them with the published ones:',
    ...release.map(({ id }) => ` release key  ${formatKeyId(id)}`),
    ...(recovery ? [` recovery key ${formatKeyId(recovery.id)}`] : []),
    hasRoutePassword(site)
      ? 'It holds the password of your proxy: your provider and every process on the server can read it.'
      : 'It holds no secret.',
  ];
}

/** Whether the site carries the one secret that it may carry. */
export function hasRoutePassword({ route }: Site): boolean {
  return route.mode !== 'direct' && new URL(route.url).password !== '';
}
