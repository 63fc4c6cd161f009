import { siteCertificates } from '#contract/site/certificates/ca.ts';
import type { Site } from '#contract/site/site.ts';
import { formatKeyId, type TrustedKeys } from '#contract/trust/keys.ts';
import type { BootstrapFile } from '../../bundle/bootstrap-files.ts';
import type { BootSettings } from './boot-settings.ts';
import type { UserDataContent } from './cloud-config.ts';
import type { Format } from './providers.ts';
import { serverFiles, waitingNote } from './server-file.ts';

/** What the content of user-data is made of. */
interface ContentInputs {
  readonly settings: BootSettings;
  readonly site: Site;
  /** Keys that the server trusts. */
  readonly keys: TrustedKeys;
  readonly bootstrap: readonly BootstrapFile[];
  readonly format: Format;
}

/** Returns what user-data does to a server. */
export function userDataContent(inputs: ContentInputs): UserDataContent {
  const { settings, site, keys, bootstrap } = inputs;
  const isPushed = site.release === 'push';
  return {
    comment: openingComment(inputs),
    files: [
      ...serverFiles(settings, site, keys, bootstrap),
      ...(isPushed ? [waitingNote(settings)] : []),
    ],
    certificates: siteCertificates(site),
    // cloud-init starts systemd-resolved before it writes files. Some images have no such service.
    commands: site.dns ? ['systemctl try-restart systemd-resolved'] : [],
    waitingFor: isPushed ? site.admin.ssh_keys : [],
  };
}

/**
 * Returns the comment at the start of user-data: what the server does, how to stop it, the embedded
 * scripts, the trusted keys, and whether the user-data contains a secret.
 */
function openingComment({ settings, site, keys, bootstrap, format }: ContentInputs): string[] {
  const { product, version } = settings;
  const { release, recovery } = keys;
  return [
    `${product} ${version}: ${format === 'shell' ? 'run this whole script as root on a new server' : 'paste this whole file as the user-data of a new server'}. As root, the server`,
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
