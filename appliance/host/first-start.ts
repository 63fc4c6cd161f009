import { removeFile, writeText } from './files.ts';
import type { Host } from './host.ts';
import { isActive } from './systemd.ts';

/** Below /run: a restart of the machine forgets it. */
const dropInOf = (unit: string) => `run/systemd/system/${unit}.d/50-landfall-later.conf`;
const dropIn = `# Landfall starts this unit once its settings are complete.
[Unit]
ConditionPathExists=!/run
`;

/**
 * Installs a package without the start of its service by the package's own scripts. The caller starts
 * it once its settings are complete. Afterwards systemd has read its units again. A kill leaves units
 * that do not start; the next call makes them start again, and so does a restart of the machine.
 * @param units a service, and the sockets that start it
 */
export async function withoutFirstStart(
  host: Host,
  units: readonly [service: string, ...sockets: string[]],
  install: () => Promise<void>,
): Promise<void> {
  if (!(await isActive(host, units[0]))) {
    for (const unit of units) await writeText(host, dropInOf(unit), dropIn);
  }
  try {
    await install();
  } finally {
    for (const unit of units) await removeFile(host, dropInOf(unit));
    await host.run('systemctl', ['daemon-reload']);
  }
}
