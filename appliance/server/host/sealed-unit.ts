import type { Host } from './host.ts';
import type { CommandOptions, CommandResult } from './run/command.ts';

interface SealedUnit {
  /** Its name. A unit of this name that a killed program has left is stopped first. */
  readonly unit: string;
  /** Properties of systemd besides those of every sealed unit, such as `BindPaths=/srv`. */
  readonly properties: readonly string[];
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Time limit in seconds. */
  readonly seconds: number;
  readonly onLine?: CommandOptions['onLine'];
  /** Written to standard input. */
  readonly input?: string | undefined;
}

/**
 * Runs a program in a unit whose root folder has only the libraries of the system and what the properties
 * bind: a link in a folder that another program wrote leads nowhere else (systemd.exec(5)).
 * @throws LandfallError COMMAND_FAILED
 */
export async function runSealed(
  host: Host,
  { unit, properties, command, seconds, onLine, input }: SealedUnit,
): Promise<CommandResult> {
  const all = [
    'TemporaryFileSystem=/',
    // /proc, to open files safely.
    'MountAPIVFS=yes',
    'BindReadOnlyPaths=/usr /lib -/lib64',
    'PrivateDevices=yes',
    'NoNewPrivileges=yes',
    'RestrictSUIDSGID=yes',
    `RuntimeMaxSec=${seconds}`,
    ...properties,
  ].map((property) => `--property=${property}`);
  await stopSealed(host, unit);
  const args = ['--quiet', '--pipe', '--wait', '--collect', `--unit=${unit}`, ...all, ...command];
  // systemd ends the unit first.
  const more = { ...(onLine && { onLine }), ...(input !== undefined && { input }) };
  return await host.run('systemd-run', args, { seconds: seconds + 60, ...more });
}

/** Stops a sealed unit. Its program goes on when systemd-run is killed. */
export async function stopSealed(host: Host, unit: string): Promise<void> {
  await host.run('systemctl', ['stop', unit], { accept: [5] });
}
