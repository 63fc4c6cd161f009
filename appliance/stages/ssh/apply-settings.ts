import type { Host } from '../../server/host/host.ts';
import { install, isActive, isInPlace, type Service } from '../../server/host/service.ts';
import { checkSshdSettings, type SshdSettings, sshdSettings } from '../../server/host/sshd/sshd.ts';
import {
  changeUnderUndo,
  confirm,
  restoreScript,
  type Undo,
  unconfirmed,
} from '../../server/host/undo/undo.ts';
import { type Algorithms, knownAlgorithms } from './algorithms.ts';
import { hasWeakRsaKey } from './host-keys.ts';
import { unproven } from './login-proof.ts';

/** sshd uses the first value of a keyword: this file sorts before `50-cloud-init.conf`. */
const settingsFile = 'etc/ssh/sshd_config.d/00-landfall.conf';
const mainFile = 'etc/ssh/sshd_config';

const undoName = 'ssh';
/** Sufficient for the test logins on a slow machine. */
const undoSeconds = 300;

/** Returns the settings for this server. @throws LandfallError TOOL_MISSING, COMMAND_FAILED */
export async function wantedSettings(host: Host): Promise<SshSettings> {
  return settingsFor({
    algorithms: await knownAlgorithms(host),
    now: await sshdSettings(host),
    weakRsaKey: await hasWeakRsaKey(host),
  });
}

/** Returns whether the settings file is current and confirmed, and sshd reads it first. */
export async function areInPlace(host: Host, settings: SshSettings): Promise<boolean> {
  if ((await unconfirmed(host)).includes(undoName)) return false;
  return await isInPlace(host, filesOf(settings));
}

/**
 * Returns the settings that are not in effect for some user, one sentence each: another file or a
 * `Match` block overrides them.
 */
export async function overriddenFor(
  host: Host,
  settings: SshSettings,
  users: readonly string[],
): Promise<string[]> {
  const sentences = new Set<string>();
  for (const user of users) {
    const effective = await sshdSettings(host, { user, address: anyClient });
    for (const { keyword, wanted, found } of overridden(settings, effective)) {
      sentences.add(`${keyword} is ${found} for ${user}, not ${wanted}`);
    }
  }
  return [...sentences];
}

/** A documentation address (RFC 5737), for `Match` blocks: it stands for any client. */
const anyClient = '192.0.2.1';

/**
 * Applies the settings. The previous ones are restored when the test fails, and after a crash or a
 * power cut.
 * @param prove throws if the administrator cannot log in with the new settings
 * @throws LandfallError SSH_UNPROVEN, COMMAND_FAILED
 */
export async function applySettings(
  host: Host,
  settings: SshSettings,
  users: readonly string[],
  prove: () => Promise<void>,
): Promise<void> {
  await changeUnderUndo(host, await undoOf(host), async () => {
    await install(host, filesOf(settings));
    await checkSshdSettings(host);
    const sentences = await overriddenFor(host, settings, users);
    if (sentences.length > 0) {
      throw unproven('other settings in /etc/ssh override those of Landfall', sentences);
    }
    for (const command of await rereadingSettings(host)) await host.run('systemctl', command);
    await prove();
  });
  await confirm(host, undoName);
}

function filesOf(settings: SshSettings): Service {
  return {
    files: [
      { path: mainFile, text: (current) => withInclude(current ?? '') },
      { path: settingsFile, text: renderSettings(settings) },
    ],
  };
}

async function undoOf(host: Host): Promise<Undo> {
  const reread = await rereadingSettings(host);
  const script = [
    await restoreScript(host, settingsFile),
    await restoreScript(host, mainFile),
    ...reread.map((command) => `systemctl --no-block ${command.join(' ')}\n`),
  ].join('');
  return { name: undoName, script, seconds: undoSeconds };
}

const line = 'Include /etc/ssh/sshd_config.d/*.conf';
/** The path may be absolute or relative to /etc/ssh; other patterns may not match our file. */
const include = /^include\s+"?(?:\/etc\/ssh\/)?sshd_config\.d\/\*\.conf"?\s*$/i;

/**
 * Returns sshd_config with the Include line of sshd_config.d first. Old images lack the line, and
 * settings above it would take precedence.
 */
export function withInclude(text: string): string {
  const first = text.split('\n').find((each) => !/^\s*(?:#|$)/.test(each));
  if (first !== undefined && include.test(first.trim())) return text;
  return `# Added by Landfall: settings files are read first.\n${line}\n\n${text}`;
}

const service = 'ssh.service';

/**
 * Returns the systemctl commands that make a running sshd reload its settings.
 *
 * With socket activation (Ubuntu since 22.10), sshd is restarted: on SIGHUP it closes the inherited
 * socket, cannot bind the address, and exits (seen with OpenSSH 10.0 of Debian 13). New connections
 * wait in the queue of the socket, and existing sessions continue.
 *
 * The start counter is reset: after five starts in ten seconds, systemd stops the service and its
 * socket (`StartLimitBurst` of systemd.unit(5)).
 */
async function rereadingSettings(host: Host): Promise<string[][]> {
  const held = await isActive(host, 'ssh.socket');
  if (!held) return [['try-reload-or-restart', service]];
  return [
    ['reset-failed', service],
    ['try-restart', service],
  ];
}

/** Values of sshd_config(5) by keyword. */
type SshSettings = ReadonlyMap<string, string>;

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
export function settingsFor({ algorithms, now, weakRsaKey }: SshdFacts): SshSettings {
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

/** Who may log in: keys of users other than root. */
export const keysOnly: SshSettings = new Map([
  ['PermitRootLogin', 'no'],
  ['PasswordAuthentication', 'no'],
  ['KbdInteractiveAuthentication', 'no'],
  ['HostbasedAuthentication', 'no'],
  ['PermitEmptyPasswords', 'no'],
]);

const plain: ReadonlyArray<[string, string]> = [
  ...keysOnly,
  ['PubkeyAuthentication', 'yes'],
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
export function renderSettings(settings: SshSettings): string {
  const lines = [...settings].map(([keyword, value]) => `${keyword} ${value}`);
  return `# Made by Landfall. sshd uses the first value of a keyword, so this file sorts before the others.
# To restore it, run: sudo landfall first-boot
${lines.join('\n')}
`;
}

/** Returns the settings that are not in effect, with their wanted and effective values. */
export function overridden(
  settings: SshSettings,
  effective: SshdSettings,
): Array<{ keyword: string; wanted: string; found: string }> {
  return [...settings].flatMap(([keyword, wanted]) => {
    const found = effective.get(keyword.toLowerCase())?.join(' ') ?? 'not set';
    return found.toLowerCase() === wanted.toLowerCase() ? [] : [{ keyword, wanted, found }];
  });
}
