import { LandfallError } from '#contract/errors.ts';
import type { Host } from './host.ts';

/**
 * How an engine keeps images: its own store unpacks them below its folder; containerd's keeps them
 * packed and unpacked, below containerd's.
 */
export type ImageStore = 'classic' | 'containerd';

/** The store of the engine that runs; nothing where none answers. */
export async function engineImageStore(host: Host): Promise<ImageStore | undefined> {
  try {
    const args = ['info', '--format', '{{json .DriverStatus}}'];
    const { code, stdout } = await host.run('docker', args, { accept: [1] });
    if (code !== 0 || !stdout.startsWith('[')) return undefined;
    return stdout.includes('io.containerd.snapshotter') ? 'containerd' : 'classic';
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'TOOL_MISSING') return undefined;
    throw error;
  }
}
