import { gatewayLogFile } from '#contract/server-paths.ts';
import { neverBanned } from './ignored.ts';
import { ownerCommandFile } from './render-owner-command.ts';

/** All that the bans of a server depend on. */
export interface BanFacts {
  /** Ports of sshd. */
  readonly ssh: readonly number[];
  /** Addresses and ranges that are never banned. */
  readonly ignored: readonly string[];
  /** Networks of many visitors, which are never banned at the gateway. */
  readonly unlimited: readonly string[];
}

/** Where fail2ban finds our jails; files that a person adds as jail.local come after it. */
export const jailsFile = 'etc/fail2ban/jail.d/landfall.conf';

/** A ban lasts an hour, and each further one twice as long, up to a week. */
const ban = { bantime: '1h', 'bantime.increment': 'true', 'bantime.maxtime': '1w' };

/**
 * What fail2ban's filter counts, by versions, and these jails do not. Clients that connect and leave
 * before they try anything: monitoring, `tcping`, `ssh-keyscan`. And what sshd adds when it refuses
 * root with a valid key: clouds give root the owner's key, which only says whose account to use
 * instead, and one such login would count as four.
 */
const uncounted = [
  '^[^:]*: (?:error: )?(?:',
  'kex_exchange_identification: (?:read: )?[Cc]onnection (?:closed by remote host|reset by peer)$',
  '|Connection (?:closed|reset) by \\S+ port \\d+(?: \\[preauth\\])?$',
  // ssh-keyscan asks for one kind of key after another.
  '|Unable to negotiate with \\S+ port \\d+: no matching host key type found\\.',
  '|ROOT LOGIN REFUSED FROM \\S+ port \\d+(?: \\[preauth\\])?$',
  ')',
].join('');

/**
 * The jails: SSH, refused sign-ins at the gateway, and who tries out what the gateway has. Each bans
 * in the firewall's table: an address banned at SSH reaches nothing of the server, one banned at the
 * gateway nothing but SSH.
 */
export function renderJails({ ssh, ignored, unlimited }: BanFacts): string {
  const common = {
    enabled: 'true',
    findtime: '10m',
    ...ban,
    usedns: 'no',
    ignoreip: neverBanned(ignored),
    ignorecommand: `/${ownerCommandFile} <ip>`,
    // Asked once a minute for an address, not for each of a thousand requests.
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
    '# Made by Landfall. What you set in /etc/fail2ban/jail.local counts more.',
    section('sshd', {
      ...common,
      // Where only keys are accepted, who guesses passwords just goes away again: that counts too.
      filter: 'sshd[mode=aggressive]',
      ignoreregex: uncounted,
      // Debian has no auth.log, and newer versions of sshd log under another name.
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
