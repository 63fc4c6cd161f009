import type { Host } from '../host.ts';

/** Folders that may be separate file systems. */
const mountPoints = ['/', '/usr', '/var', '/home'];

/**
 * Flushes the server's file systems to disk. Most programs do not sync their files, which may be
 * empty after a power cut.
 */
export async function syncDisks(host: Host): Promise<void> {
  await host.run('sync', ['--file-system', ...mountPoints], { seconds: 3600 });
}
