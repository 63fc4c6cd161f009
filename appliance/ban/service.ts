import { banSettingsFile, firewallTableFile, gatewayLogFile } from '#contract/server-paths.ts';
import { bannedSet, firewallTable } from '../firewall/public.ts';
import type { Service } from '../host/service.ts';
import { formatIgnored } from './ignored.ts';
import { type BanFacts, ignoreCommandFile, jailsFile, renderJails } from './render-jails.ts';

export const banUnit = 'fail2ban.service';

/** Returns fail2ban with our jails. */
export function banService(facts: BanFacts) {
  return {
    // fail2ban needs python3-systemd for the journal; Debian 12 only recommends it.
    packages: ['fail2ban', 'python3-systemd', 'logrotate'],
    files: [
      { path: banSettingsFile, text: formatIgnored(facts.ignored) },
      { path: actionFile, text: renderAction() },
      { path: filterFile, text: renderFilter() },
      { path: jailsFile, text: renderJails(facts) },
      { path: logRotationFile, text: renderLogRotation() },
      { path: ignoreCommandFile, text: renderIgnoreCommand(), mode: 0o755 },
    ],
    units: [{ name: banUnit, restart: 'always' }],
  } satisfies Service;
}

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

/** The filter for the log of the gateway. */
export const filterFile = 'etc/fail2ban/filter.d/landfall-gateway.conf';

/**
 * Renders the filter for nginx's combined format. A line begins with the client address; IPv6
 * addresses have the suffix `/64`, so fail2ban counts and bans the network. nginx escapes quotes from
 * clients, so a client cannot forge the address of another one.
 *
 * `login` matches rejected sign-ins and API keys. It excludes 429: the gateway accepts one sign-in a
 * minute, and a user who tries again at once must not be banned for an hour. `scan` matches requests
 * that are invalid or not found; it excludes 401, because browsers repeat requests when a session has
 * expired.
 */
export function renderFilter(): string {
  return `# Made by Landfall: nginx's combined log format.
[Definition]
_client = ^<SUBNET> - [^"]*\\[\\] "
_login-path = \\S*(?:sign-?in|sign-?up|log-?in|auths?|token)

failregex-login = %(_client)sPOST %(_login-path)s[^"]*" (?:400|403) \\d
                  %(_client)sPOST [^"]*" 401 \\d
failregex-scan = %(_client)s[^"]*" (?:400|403|404|405|414|444) \\d
failregex = <failregex-<mode>>

mode = scan
datepattern = ^[^\\[]*\\[(%%d/%%b/%%Y:%%H:%%M:%%S %%z)\\]
`;
}

const logRotationFile = 'etc/logrotate.d/landfall-gateway';

/** Renders the log rotation: one week, truncated in place because the container keeps the file open. */
export function renderLogRotation(): string {
  return `/${gatewayLogFile} {
	daily
	maxsize 50M
	rotate 7
	compress
	delaycompress
	missingok
	notifempty
	copytruncate
}
`;
}

/**
 * Renders a program that succeeds if a user is logged in from this address or its /64. A user who
 * logged in with a key is not banned for failures in a second terminal.
 */
export function renderIgnoreCommand(): string {
  return `#!/usr/bin/python3
# Made by Landfall: is a user logged in from this address now, or from its /64?
import ipaddress
import subprocess
import sys


def network(text):
    try:
        address = ipaddress.ip_address(text.partition("/")[0])
    except ValueError:
        return None
    return ipaddress.ip_network((int(address), 64) if address.version == 6 else address, False)


def ask(*args):
    told = subprocess.run(["loginctl", *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return told.stdout.decode(errors="replace").splitlines()


def remote_hosts():
    for session in (line.split()[0] for line in ask("list-sessions", "--no-legend") if line.strip()):
        told = ask("show-session", session, "--property=RemoteHost", "--property=State")
        # An ended session can stay in the state "closing" indefinitely.
        if "State=closing" not in told:
            yield from (line.partition("=")[2] for line in told if line.startswith("RemoteHost="))


wanted = network(sys.argv[1])
sys.exit(0 if wanted is not None and wanted in map(network, remote_hosts()) else 1)
`;
}
