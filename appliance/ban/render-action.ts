import { firewallTableFile } from '#contract/server-paths.ts';
import { bannedSet, firewallTable } from '../host/firewall-table.ts';

/** Where fail2ban finds the action that our jails name. */
export const actionFile = 'etc/fail2ban/action.d/landfall.conf';

/**
 * A ban is an address in the jail's set of the firewall's table, where Docker's published ports and
 * open connections are cut off too. It carries its own end, in case fail2ban is gone by then. Adding
 * an address anew replaces its end: added if missing, taken out, added, in one transaction.
 */
export function renderAction(): string {
  const table = firewallTable.join(' ');
  const element = `element ${table} <set> { <ip>`;
  return `# Made by Landfall. The sets are those of /${firewallTableFile}.
[Definition]
actionstart =
actionstop =
actioncheck = nft list set ${table} <set> >/dev/null
actionrepair = nft --file /${firewallTableFile}
actionban = lasting=; [ "<bantime>" -gt 0 ] && lasting=" timeout <bantime>s"
            printf 'add ${element} }\\ndelete ${element} }\\nadd ${element}%%s }\\n' "$lasting" | nft --file -
actionprolong = <actionban>
actionunban = nft delete ${element.replace('{', '\\{')} \\} 2>/dev/null || :
actionflush = nft flush set ${table} <set>

[Init]
set = ${bannedSet('<name>', 4)}

[Init?family=inet6]
set = ${bannedSet('<name>', 6)}
`;
}
