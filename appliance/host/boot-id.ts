import { randomUUID } from 'node:crypto';
import { readText } from './files.ts';
import type { Host } from './host.ts';

/** Changes with each boot; see random(4). */
const bootIdFile = 'proc/sys/kernel/random/boot_id';

/** Returns the ID of the current boot. Without a boot ID, each call returns a new random one. */
export async function bootId(host: Host): Promise<string> {
  return (await readText(host, bootIdFile))?.trim() || randomUUID();
}
