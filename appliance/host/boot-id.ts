import { randomUUID } from 'node:crypto';
import { readText } from './files.ts';
import type { Host } from './host.ts';

/** Another one after each start of the machine; see random(4). */
const bootIdFile = 'proc/sys/kernel/random/boot_id';

/** Which start of the machine this is. Where it does not say, each question is a new start. */
export async function bootId(host: Host): Promise<string> {
  return (await readText(host, bootIdFile))?.trim() || randomUUID();
}
