import { firewallSettingsFile, firewallTableFile } from '#contract/server-paths.ts';
import { firewallTable } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';
import { restoreScript } from '../host/undo/restore-script.ts';

/** All files that a change of the firewall modifies, with their permissions. */
const touched: ReadonlyArray<readonly [string, number]> = [
  [firewallSettingsFile, 0o644],
  [firewallTableFile, 0o644],
  ['etc/default/ufw', 0o644],
  ['etc/ufw/ufw.conf', 0o644],
  ['etc/ufw/user.rules', 0o640],
  ['etc/ufw/user6.rules', 0o640],
];

/** Renders the script that restores the current state of UFW and our table. */
export async function renderUndo(host: Host): Promise<string> {
  const files = await Promise.all(touched.map(([path, mode]) => restoreScript(host, path, mode)));
  const table = host.path(firewallTableFile);
  return `PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
${files.join('')}if [ -e ${table} ]; then nft --file ${table}
else nft delete table ${firewallTable.join(' ')} 2>/dev/null
fi
if grep -qs '^ENABLED=yes' ${host.path('etc/ufw/ufw.conf')}; then ufw reload
else ufw --force disable
fi`;
}
