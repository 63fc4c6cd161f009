import { isFile, writeText } from '../files.ts';
import type { Host } from '../host.ts';
import { isEnabled } from '../systemd.ts';

/** Shell scripts that undo unconfirmed changes, one per change. */
export const undoFolder = 'var/lib/landfall/undo';

const unitName = 'landfall-undo.service';
const unitFile = `etc/systemd/system/${unitName}`;

/**
 * Runs before the services that an undone change may affect: the firewall, the network and sshd. The
 * scripts run one after another; a failed script does not stop the others.
 */
const unit = `[Unit]
Description=Landfall: undo unconfirmed changes
DefaultDependencies=no
ConditionDirectoryNotEmpty=/${undoFolder}
RequiresMountsFor=/${undoFolder}
Wants=network-pre.target
After=local-fs.target
Before=network-pre.target ufw.service nftables.service ssh.service ssh.socket sysinit.target
Conflicts=shutdown.target
Before=shutdown.target

[Service]
Type=oneshot
ExecStart=/bin/sh -c 'for undo in /${undoFolder}/*.sh; do /bin/sh "$undo"; done'
StandardOutput=journal+console

[Install]
WantedBy=sysinit.target
`;

/** Installs and enables the unit that undoes unconfirmed changes at boot. Idempotent. */
export async function installUndoUnit(host: Host): Promise<void> {
  if ((await isFile(host, unitFile, unit)) && (await isEnabled(host, unitName))) return;
  await writeText(host, unitFile, unit);
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--quiet', unitName]);
  // The symbolic link that enables the unit must be on disk before the change.
  await host.run('sync', []);
}
