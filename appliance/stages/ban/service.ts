import { banSettingsFile, firewallTableFile, gatewayLogFile } from '#contract/server-paths.ts';
import type { Service } from '../../server/host/service.ts';
import { bannedSet, firewallTable } from '../firewall/public.ts';
import { formatIgnored, neverBanned } from './ignored.ts';

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

/** All inputs of the fail2ban settings. */
export interface BanFacts {
  /** Ports of sshd. */
  readonly ssh: readonly number[];
  /** Addresses and ranges that are never banned. */
  readonly ignored: readonly string[];
  /** Networks with many users, which are never banned at the gateway. */
  readonly unlimited: readonly string[];
}

/** The program that fail2ban runs before it counts a failure. */
const ignoreCommandFile = 'etc/fail2ban/filter.d/ignorecommands/landfall-owner';

/** Our jails; fail2ban reads jail.local of the administrator later. */
export const jailsFile = 'etc/fail2ban/jail.d/landfall.conf';

/** A ban lasts an hour; each further ban is twice as long, up to a week. */
const ban = { bantime: '1h', 'bantime.increment': 'true', 'bantime.maxtime': '1w' };

/**
 * Log lines that some versions of fail2ban's filter count as failures, but these jails ignore:
 * clients that disconnect before authentication (monitoring, `tcping`, `ssh-keyscan`), and sshd's
 * lines about root logins with a valid key. Clouds give root the administrator's key to print a
 * message, and one such login would count four times.
 */
const uncounted = [
  '^[^:]*: (?:error: )?(?:',
  'kex_exchange_identification: (?:read: )?[Cc]onnection (?:closed by remote host|reset by peer)$',
  '|Connection (?:closed|reset) by \\S+ port \\d+(?: \\[preauth\\])?$',
  // ssh-keyscan requests each type of host key separately.
  '|Unable to negotiate with \\S+ port \\d+: no matching host key type found\\.',
  '|ROOT LOGIN REFUSED FROM \\S+ port \\d+(?: \\[preauth\\])?$',
  ')',
].join('');

/**
 * Renders the jails for SSH, for rejected sign-ins at the gateway, and for scans of the gateway. Bans
 * act in the firewall table: an address banned for SSH reaches nothing, one banned at the gateway
 * reaches only SSH.
 */
export function renderJails({ ssh, ignored, unlimited }: BanFacts): string {
  const common = {
    enabled: 'true',
    findtime: '10m',
    ...ban,
    usedns: 'no',
    ignoreip: neverBanned(ignored),
    ignorecommand: `/${ignoreCommandFile} <ip>`,
    // At most one call per address and minute.
    ignorecache: 'key="<ip>", max-count=1000, max-time=1m',
    action: 'landfall[name=%(__name__)s]',
  };
  const gateway = {
    logpath: `/${gatewayLogFile}`,
    backend: 'polling',
    port: 'http,https',
    ignoreip: neverBanned([...ignored, ...unlimited]),
  };
  return [
    '# Made by Landfall. Settings in /etc/fail2ban/jail.local override this file.',
    section('sshd', {
      ...common,
      // Counts clients that disconnect because passwords are not accepted.
      filter: 'sshd[mode=aggressive]',
      ignoreregex: uncounted,
      // Debian has no auth.log, and newer versions of sshd log as sshd-session.
      backend: 'systemd',
      journalmatch: '_SYSTEMD_UNIT=ssh.service + _COMM=sshd + _COMM=sshd-session',
      port: ssh.join(','),
      maxretry: '5',
    }),
    section('gateway-login', {
      ...common,
      ...gateway,
      filter: 'landfall-gateway[mode=login]',
      maxretry: '10',
    }),
    section('gateway-scan', {
      ...common,
      ...gateway,
      filter: 'landfall-gateway[mode=scan]',
      maxretry: '40',
    }),
  ].join('\n');
}

function section(name: string, settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([key, value]) => `${key} = ${value}\n`);
  return `[${name}]\n${lines.join('')}`;
}
