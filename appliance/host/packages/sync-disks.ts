import type { Host } from '../host.ts';

/** Folders of a server that may lie on disks of their own. */
const places = ['/', '/usr', '/var', '/home'];

/**
 * Waits until what programs have written there is on the disk. Most programs do not wait for that
 * themselves: after a power cut their newest files are there with no byte in them.
 */
export async function syncDisks(host: Host): Promise<void> {
  await host.run('sync', ['--file-system', ...places], { seconds: 3600 });
}
