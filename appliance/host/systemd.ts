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

/** Makes a unit start at boot. `systemctl enable` takes half a second where there is a SysV script. */
export async function ensureEnabled(host: Host, unit: string): Promise<void> {
  if (!(await isEnabled(host, unit))) await host.run('systemctl', ['enable', '--quiet', unit]);
}
