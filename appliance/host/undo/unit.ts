import { isFile, writeText } from '../files.ts';
import type { Host } from '../host.ts';
import { isEnabled } from '../systemd.ts';

/** Shell scripts that put back what nobody has confirmed yet, one a change. */
export const undoFolder = 'var/lib/landfall/undo';

const unitName = 'landfall-undo.service';
const unitFile = `etc/systemd/system/${unitName}`;

/**
 * Runs before anything that a change could keep the owner from: the firewall, the network, sshd.
 * The scripts end one by one; one that fails does not keep the others from running.
 */
const unit = `[Unit]
Description=Landfall: undo changes that nobody confirmed
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

/** Puts the unit in place that undoes unconfirmed changes at boot, durably. Quick where it is. */
export async function installUndoUnit(host: Host): Promise<void> {
  if ((await isFile(host, unitFile, unit)) && (await isEnabled(host, unitName))) return;
  await writeText(host, unitFile, unit);
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--quiet', unitName]);
  // The link that enables it must be on disk before the change that it guards.
  await host.run('sync', []);
}
