import { isMissing } from '#files/open-regular.ts';
import { makeFolder } from '../files.ts';
import { anyCode, type Host } from '../host.ts';

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
  return parseSettings(await runSshd(host, ['-T', ...testSpecification(connection)]));
}

/** Validates sshd's configuration files. @throws LandfallError COMMAND_FAILED */
export async function checkSshdSettings(host: Host): Promise<void> {
  await runSshd(host, ['-t']);
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
 * Runs sshd and returns its output. sshd needs a folder that systemd creates when the service starts and
 * removes when it stops. With socket activation this can happen between the two steps here, so both are
 * repeated.
 */
async function runSshd(host: Host, args: readonly string[], tries = 5): Promise<string> {
  try {
    await makeFolder(host, 'run/sshd', { mode: 0o755 });
    const accept = tries > 1 ? anyCode : [0];
    const { code, stdout } = await host.run(sshdProgram, args, { accept });
    if (code === 0) return stdout;
  } catch (error) {
    if (tries <= 1 || !isMissing(error)) throw error;
  }
  return await runSshd(host, args, tries - 1);
}
