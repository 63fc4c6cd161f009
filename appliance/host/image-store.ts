import { LandfallError } from '#contract/errors.ts';
import type { Host } from './host.ts';

/**
 * How Docker stores images. The classic store keeps unpacked layers in Docker's folder; the containerd
 * store keeps packed and unpacked layers in containerd's folder.
 */
export type ImageStore = 'classic' | 'containerd';

/** A hung daemon counts as down. */
const timeoutSeconds = 20;

/** Returns the image store of the running Docker daemon; undefined if the daemon is down. */
export async function dockerImageStore(host: Host): Promise<ImageStore | undefined> {
  const args = ['info', '--format', '{{json .DriverStatus}}'];
  try {
    const { stdout } = await host.run('docker', args, { seconds: timeoutSeconds });
    if (!stdout.startsWith('[')) return undefined;
    return stdout.includes('io.containerd.snapshotter') ? 'containerd' : 'classic';
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}
