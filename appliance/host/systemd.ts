import type { Host } from './host.ts';

/** Reports whether a unit is active. */
export async function isActive(host: Host, unit: string): Promise<boolean> {
  return await host.succeeds('systemctl', ['is-active', '--quiet', unit]);
}

/** Reports whether a unit is enabled at boot. */
export async function isEnabled(host: Host, unit: string): Promise<boolean> {
  return await host.succeeds('systemctl', ['is-enabled', '--quiet', unit]);
}

/** Enables a unit at boot if needed. `systemctl enable` takes half a second with a SysV script. */
export async function ensureEnabled(host: Host, unit: string): Promise<void> {
  if (!(await isEnabled(host, unit))) await host.run('systemctl', ['enable', '--quiet', unit]);
}
