import { LandfallError } from '#contract/errors.ts';
import type { Host } from './host.ts';

/**
 * How an engine keeps images: its own store unpacks them below its folder; containerd's keeps them
 * packed and unpacked, below containerd's.
 */
export type ImageStore = 'classic' | 'containerd';

/** One that hangs is none that answers. */
const patienceSeconds = 20;

/** The store of the engine that runs; nothing where none answers. */
export async function engineImageStore(host: Host): Promise<ImageStore | undefined> {
  const args = ['info', '--format', '{{json .DriverStatus}}'];
  try {
    const { stdout } = await host.run('docker', args, { seconds: patienceSeconds });
    if (!stdout.startsWith('[')) return undefined;
    return stdout.includes('io.containerd.snapshotter') ? 'containerd' : 'classic';
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}
