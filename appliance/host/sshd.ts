import { makeFolder } from './files.ts';
import type { Host } from './host.ts';

/** sshd's settings in effect by keyword in lower case; some are given several times. */
export type SshdSettings = ReadonlyMap<string, readonly string[]>;

/** Who connects, for the settings in a `Match` block. */
export interface Connection {
  readonly user: string;
  /** Where from. */
  readonly address: string;
}

/** Where the system's sshd is; ordinary users do not have it in their path. */
export const sshdProgram = '/usr/sbin/sshd';

/**
 * What sshd makes of all its settings files, for this connection if one is given.
 * @throws LandfallError TOOL_MISSING where there is no sshd, COMMAND_FAILED where its settings are
 * broken
 */
export async function sshdSettings(host: Host, connection?: Connection): Promise<SshdSettings> {
  await makePrivilegeFolder(host);
  const { stdout } = await host.run(sshdProgram, ['-T', ...testSpecification(connection)]);
  return parseSettings(stdout);
}

/** Whether sshd would start with the settings that are in its files. @throws LandfallError COMMAND_FAILED */
export async function checkSshdSettings(host: Host): Promise<void> {
  await makePrivilegeFolder(host);
  await host.run(sshdProgram, ['-t']);
}

/** Where somebody listens: a numeric address, `0.0.0.0` and `::` for all, and a TCP port. */
export interface Listener {
  readonly address: string;
  readonly port: number;
}

/**
 * The TCP ports that SSH listens on, in ascending order.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshPorts(host: Host): Promise<number[]> {
  const ports = (await sshListeners(host)).map(({ port }) => port);
  return [...new Set(ports)].sort((a, b) => a - b);
}

/**
 * Where SSH listens: what sshd says, or systemd where that holds the socket, as on Ubuntu.
 * @throws LandfallError TOOL_MISSING, COMMAND_FAILED
 */
export async function sshListeners(host: Host): Promise<Listener[]> {
  const held = await socketListeners(host);
  if (held.length > 0) return held;
  const places = (await sshdSettings(host)).get('listenaddress') ?? [];
  return places.flatMap(parseListener);
}

async function socketListeners(host: Host): Promise<Listener[]> {
  const args = ['show', '--property=ActiveState,Listen', 'ssh.socket'];
  const { stdout } = await host.run('systemctl', args, { accept: [1] });
  if (!/^ActiveState=active$/m.test(stdout)) return [];
  const places = stdout.matchAll(/^(?:Listen=)?(\S+) \(Stream\)$/gm);
  return [...places].flatMap(([, place = '']) => parseListener(place));
}

/** `0.0.0.0:22`, `[::]:22`; a `*` is every address. What has no port is no listener. */
function parseListener(place: string): Listener[] {
  const [, address = '', port = ''] = /^(.*):([0-9]+)$/.exec(place) ?? [];
  if (port === '') return [];
  const plain = address.replace(/^\[(.*)\]$/, '$1');
  return [{ address: plain === '*' ? '::' : plain, port: Number(port) }];
}

/** The answer of `sshd -T`: a keyword and its value a line. */
export function parseSettings(text: string): SshdSettings {
  const settings = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, keyword, value] = /^(\S+) ?(.*)$/.exec(line) ?? [];
    if (keyword === undefined || value === undefined) continue;
    settings.set(keyword, [...(settings.get(keyword) ?? []), value]);
  }
  return settings;
}

/** Every criterion that a `Match` may ask for, or older versions refuse to answer. */
function testSpecification(connection: Connection | undefined): string[] {
  if (!connection) return [];
  const { user, address } = connection;
  const criteria = { user, host: address, addr: address, laddr: address, lport: 22 };
  const text = Object.entries(criteria).map(([name, value]) => `${name}=${value}`);
  return ['-C', text.join(',')];
}

/** sshd judges nothing without it, and it is not there before systemd first starts sshd. */
async function makePrivilegeFolder(host: Host): Promise<void> {
  await makeFolder(host, 'run/sshd', { mode: 0o755 });
}
