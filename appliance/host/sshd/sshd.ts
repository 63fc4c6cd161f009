import { isMissing, makeFolder } from '../files.ts';
import type { Host } from '../host.ts';

/** sshd's settings in effect by keyword in lower case; some are given several times. */
export type SshdSettings = ReadonlyMap<string, readonly string[]>;

/** Who connects, for the settings in a `Match` block. */
interface Connection {
  readonly user: string;
  /** Where from. */
  readonly address: string;
}

/** Where the system's sshd is; ordinary users do not have it in their path. */
const sshdProgram = '/usr/sbin/sshd';

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

/**
 * sshd judges nothing without this folder, which systemd makes when sshd starts and removes when it stops.
 * Where systemd holds SSH's socket that happens at every login, so it may go at any moment.
 */
async function makePrivilegeFolder(host: Host, tries = 5): Promise<void> {
  try {
    await makeFolder(host, 'run/sshd', { mode: 0o755 });
  } catch (error) {
    if (!isMissing(error) || tries <= 1) throw error;
    await makePrivilegeFolder(host, tries - 1);
  }
}
