import { firewallTableFile } from '#contract/server-paths.ts';
import { bannedSet, firewallTable } from '../host/firewall-table.ts';

/** Where fail2ban finds the action that our jails name. */
export const actionFile = 'etc/fail2ban/action.d/landfall.conf';

/**
 * A ban is an address in the jail's set of the firewall's table, where Docker's published ports and
 * open connections are cut off too. It carries its own end, in case fail2ban is gone by then. Adding
 * an address anew replaces its end: added if missing, taken out, added, in one transaction.
 *
 * For IPv6 the set holds the first address of a /64, and the table bans all of it.
 */
export function renderAction(): string {
  const table = firewallTable.join(' ');
  return `# Made by Landfall. The sets are those of /${firewallTableFile}.
[Definition]
actionstart =
actionstop =
actioncheck = nft list set ${table} <set> >/dev/null
actionrepair = nft --file /${firewallTableFile}
actionban = element="element ${table} <set> { <banned>"
            lasting=; [ "<bantime>" -gt 0 ] && lasting=" timeout <bantime>s"
            printf 'add %%s }\\ndelete %%s }\\nadd %%s }\\n' "$element" "$element" "$element$lasting" | nft --file -
actionprolong = <actionban>
actionunban = nft delete element ${table} <set> "{ <banned> }" 2>/dev/null || :
actionflush = nft flush set ${table} <set>

[Init]
set = ${bannedSet('<name>', 4)}
banned = <ip>

[Init?family=inet6]
set = ${bannedSet('<name>', 6)}
banned = $(python3 -c '${firstAddress}' <ip>)
`;
}

/** Prints the first address of the /64 that an address, or a range of such, is in. */
const firstAddress =
  'import ipaddress, sys; print(ipaddress.ip_network((sys.argv[1].partition("/")[0], 64), False)[0])';
