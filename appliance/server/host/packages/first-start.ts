import { removeFile, writeText } from '../files.ts';
import type { Host } from '../host.ts';
import { isActive, reloadUnits } from '../service.ts';

/** In /run, so a reboot removes it. */
const dropInOf = (unit: string) => `run/systemd/system/${unit}.d/50-landfall-later.conf`;
const dropIn = `# Landfall starts this unit once its settings are complete.
[Unit]
ConditionPathExists=!/run
`;

/**
 * Installs a package while preventing its scripts from starting its service. The caller starts the
 * service once its settings are complete. Reloads systemd afterwards. If the process is killed, the
 * units stay blocked until the next call or the next boot.
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
    await reloadUnits(host);
  }
}
