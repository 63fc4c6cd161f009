import { firewallTableFile } from '#contract/server-paths.ts';
import { bannedSet, firewallTable } from '../host/firewall-table.ts';

/** The action of our jails. */
export const actionFile = 'etc/fail2ban/action.d/landfall.conf';

/**
 * Renders the action. A ban adds an address to the jail's set in the firewall table, which also blocks
 * Docker's published ports and open connections. The element has a timeout, in case fail2ban stops.
 * To renew it, the element is added, deleted and added in one transaction.
 *
 * For IPv6 the set holds the first address of a /64, and the table bans the whole network.
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

/** Prints the first address of the /64 of an address or a range. */
const firstAddress =
  'import ipaddress, sys; print(ipaddress.ip_network((sys.argv[1].partition("/")[0], 64), False)[0])';
