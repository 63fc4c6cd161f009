import type { Host } from './host.ts';

/** Whether a unit runs now. */
export async function isActive(host: Host, unit: string): Promise<boolean> {
  return await host.succeeds('systemctl', ['is-active', '--quiet', unit]);
}

/** Whether a unit starts at boot. */
export async function isEnabled(host: Host, unit: string): Promise<boolean> {
  return await host.succeeds('systemctl', ['is-enabled', '--quiet', unit]);
}

/** Makes systemd read its units again and starts one, now and at every boot. */
export async function enableNow(host: Host, unit: string): Promise<void> {
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', '--now', unit]);
}

/** Makes a unit start at boot. systemctl takes half a second for what has a SysV script too. */
export async function ensureEnabled(host: Host, unit: string): Promise<void> {
  if (!(await isEnabled(host, unit))) await host.run('systemctl', ['enable', '--quiet', unit]);
}

/**
 * Installs a package without the start of its service that the package's own scripts do: the caller
 * starts it once its settings are complete. Afterwards systemd has read its units again. They are
 * masked until the machine restarts at most; where a kill leaves a mask, the next call ends it.
 * @param units a service, and the sockets that start it
 */
export async function withoutFirstStart(
  host: Host,
  units: readonly [service: string, ...sockets: string[]],
  install: () => Promise<void>,
): Promise<void> {
  if (!(await isActive(host, units[0]))) {
    await host.run('systemctl', ['mask', '--runtime', '--quiet', '--no-reload', ...units]);
  }
  try {
    await install();
  } finally {
    await host.run('systemctl', ['unmask', '--runtime', '--quiet', ...units]);
  }
}
