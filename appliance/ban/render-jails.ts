import { gatewayLogFile } from '#contract/server-paths.ts';
import { neverBanned } from './ignored.ts';

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
export const ignoreCommandFile = 'etc/fail2ban/filter.d/ignorecommands/landfall-owner';

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
