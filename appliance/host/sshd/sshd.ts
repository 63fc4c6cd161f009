import { isMissing } from '#files/open-regular.ts';
import { makeFolder } from '../files.ts';
import type { Host } from '../host.ts';

/** sshd's effective settings by lower-case keyword. Some keywords have several values. */
export type SshdSettings = ReadonlyMap<string, readonly string[]>;

/** A connection, for the evaluation of `Match` blocks. */
interface Connection {
  readonly user: string;
  /** Client address. */
  readonly address: string;
}

/** Absolute, because /usr/sbin is not on the PATH of ordinary users. */
const sshdProgram = '/usr/sbin/sshd';

/**
 * Returns the effective settings of sshd, for a connection if one is given.
 * @throws LandfallError TOOL_MISSING if sshd is not installed, COMMAND_FAILED if its settings are
 * invalid
 */
export async function sshdSettings(host: Host, connection?: Connection): Promise<SshdSettings> {
  await makePrivilegeFolder(host);
  const { stdout } = await host.run(sshdProgram, ['-T', ...testSpecification(connection)]);
  return parseSettings(stdout);
}

/** Validates sshd's configuration files. @throws LandfallError COMMAND_FAILED */
export async function checkSshdSettings(host: Host): Promise<void> {
  await makePrivilegeFolder(host);
  await host.run(sshdProgram, ['-t']);
}

/** Parses the output of `sshd -T`: a keyword and its value per line. */
export function parseSettings(text: string): SshdSettings {
  const settings = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, keyword, value] = /^(\S+) ?(.*)$/.exec(line) ?? [];
    if (keyword === undefined || value === undefined) continue;
    settings.set(keyword, [...(settings.get(keyword) ?? []), value]);
  }
  return settings;
}

/** Returns the value of `sshd -C`. Older versions require all criteria that a `Match` uses. */
function testSpecification(connection: Connection | undefined): string[] {
  if (!connection) return [];
  const { user, address } = connection;
  const criteria = { user, host: address, addr: address, laddr: address, lport: 22 };
  const text = Object.entries(criteria).map(([name, value]) => `${name}=${value}`);
  return ['-C', text.join(',')];
}

/**
 * Creates the folder that sshd needs to check its settings. systemd creates it when sshd starts and
 * removes it when sshd stops. With socket activation that happens at each login, hence the retries.
 */
async function makePrivilegeFolder(host: Host, tries = 5): Promise<void> {
  try {
    await makeFolder(host, 'run/sshd', { mode: 0o755 });
  } catch (error) {
    if (!isMissing(error) || tries <= 1) throw error;
    await makePrivilegeFolder(host, tries - 1);
  }
}
