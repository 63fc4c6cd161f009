import type { SshdSettings } from '../host/sshd/sshd.ts';
import type { Algorithms } from './algorithms.ts';

/** sshd_config(5) by keyword. */
export type Settings = ReadonlyMap<string, string>;

/** What is known of the server before its settings are made. */
interface SshdFacts {
  readonly algorithms: Algorithms;
  /** What is in effect now: tells which keywords this sshd knows. */
  readonly now: SshdSettings;
  /** Whether the server has an RSA host key that is too small to be shown to anybody. */
  readonly weakRsaKey: boolean;
}

/**
 * The settings that close every way into SSH but that of a key (SPEC 3.2). Tunnels from the owner to
 * this server (`ssh -L`) stay open: they lead to what has no host name.
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
  // Somebody may have to type the passphrase of a key, over a slow line.
  ['LoginGraceTime', '60'],
  // Each key that a client holds is a try, and passwords are none: less would keep people out.
  ['MaxAuthTries', '6'],
  ['MaxStartups', '10:30:60'],
  ['X11Forwarding', 'no'],
  ['AllowAgentForwarding', 'no'],
  ['AllowTcpForwarding', 'local'],
  ['AllowStreamLocalForwarding', 'local'],
  ['GatewayPorts', 'no'],
  ['PermitTunnel', 'no'],
  // A tunnel through a router that forgets idle connections stays up.
  ['ClientAliveInterval', '60'],
  ['ClientAliveCountMax', '3'],
  // Names the key of each login.
  ['LogLevel', 'VERBOSE'],
];

/** Not known to every OpenSSH since 8.9. The size is that of the smallest key that a site may have. */
const recent: ReadonlyArray<[string, string]> = [
  ['RequiredRSASize', '2048'],
  // The proofs of this program come from here, some of them with nothing in their hands.
  ['PerSourcePenaltyExemptList', '127.0.0.0/8,::1'],
];

/** The text of the settings file. */
export function renderSettings(settings: Settings): string {
  const lines = [...settings].map(([keyword, value]) => `${keyword} ${value}`);
  return `# Made by Landfall. Of several values for a keyword sshd takes the first that it reads, so this file
# sorts before the others. It is written anew by: sudo landfall first-boot
${lines.join('\n')}
`;
}

/** The settings that something else overrules: what is wanted, and what is in effect. */
export function overruled(
  settings: Settings,
  effective: SshdSettings,
): Array<{ keyword: string; wanted: string; found: string }> {
  return [...settings].flatMap(([keyword, wanted]) => {
    const found = effective.get(keyword.toLowerCase())?.join(' ') ?? 'nothing';
    return found.toLowerCase() === wanted.toLowerCase() ? [] : [{ keyword, wanted, found }];
  });
}
