import type { SshdSettings } from '../host/sshd/sshd.ts';
import type { Algorithms } from './algorithms.ts';

/** Values of sshd_config(5) by keyword. */
export type Settings = ReadonlyMap<string, string>;

/** The properties of the server that the settings depend on. */
interface SshdFacts {
  readonly algorithms: Algorithms;
  /** The settings in effect, which show the keywords that this sshd supports. */
  readonly now: SshdSettings;
  /** Whether the RSA host key is too small to be offered to clients. */
  readonly weakRsaKey: boolean;
}

/**
 * Returns settings that allow logins with keys only (SPEC 3.2). Local forwarding (`ssh -L`) stays
 * allowed, because it gives access to services without a host name.
 */
export function settingsFor({ algorithms, now, weakRsaKey }: SshdFacts): Settings {
  const settings = new Map(plain);
  for (const [keyword, names] of algorithms) {
    const fit = weakRsaKey ? names.filter((name) => !name.startsWith('rsa-')) : names;
    if (fit.length > 0) settings.set(keyword, fit.join(','));
  }
  for (const [keyword, value] of recent) {
    if (now.has(keyword.toLowerCase())) settings.set(keyword, value);
  }
  return settings;
}

const plain: ReadonlyArray<[string, string]> = [
  ['PermitRootLogin', 'no'],
  ['PubkeyAuthentication', 'yes'],
  ['PasswordAuthentication', 'no'],
  ['KbdInteractiveAuthentication', 'no'],
  ['HostbasedAuthentication', 'no'],
  ['PermitEmptyPasswords', 'no'],
  ['PermitUserEnvironment', 'no'],
  // Users may have to type the passphrase of a key over a slow connection.
  ['LoginGraceTime', '60'],
  // Each key that a client offers counts as a try.
  ['MaxAuthTries', '6'],
  ['MaxStartups', '10:30:60'],
  ['X11Forwarding', 'no'],
  ['AllowAgentForwarding', 'no'],
  ['AllowTcpForwarding', 'local'],
  ['AllowStreamLocalForwarding', 'local'],
  ['GatewayPorts', 'no'],
  ['PermitTunnel', 'no'],
  // Keeps tunnels alive through routers that drop idle connections.
  ['ClientAliveInterval', '60'],
  ['ClientAliveCountMax', '3'],
  // Logs the key of each login.
  ['LogLevel', 'VERBOSE'],
];

/** Keywords that OpenSSH 8.9 may lack. The key size is the minimum that a site accepts. */
const recent: ReadonlyArray<[string, string]> = [
  ['RequiredRSASize', '2048'],
  // Our tests log in over loopback, some without credentials.
  ['PerSourcePenaltyExemptList', '127.0.0.0/8,::1'],
];

/** Renders the settings file. */
export function renderSettings(settings: Settings): string {
  const lines = [...settings].map(([keyword, value]) => `${keyword} ${value}`);
  return `# Made by Landfall. sshd uses the first value of a keyword, so this file sorts before the others.
# To restore it, run: sudo landfall first-boot
${lines.join('\n')}
`;
}

/** Returns the settings that are not in effect, with their wanted and effective values. */
export function overridden(
  settings: Settings,
  effective: SshdSettings,
): Array<{ keyword: string; wanted: string; found: string }> {
  return [...settings].flatMap(([keyword, wanted]) => {
    const found = effective.get(keyword.toLowerCase())?.join(' ') ?? 'not set';
    return found.toLowerCase() === wanted.toLowerCase() ? [] : [{ keyword, wanted, found }];
  });
}
