import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';

/**
 * Returns whether Docker has the image of the release under its local name. The ID of an image is the
 * digest of its configuration in the classic store, and of its manifest or index in the containerd
 * store.
 */
export async function hasImage(host: Host, version: string, image: ReleaseImage): Promise<boolean> {
  const id = await imageId(host, localImage(image.component, version));
  if (id === undefined) return false;
  if (image.config === null) return true;
  return [image.config, image.manifest, image.index].includes(id);
}

/** Returns undefined if there is no such image, or no Docker. */
async function imageId(host: Host, name: string): Promise<string | undefined> {
  const args = ['image', 'inspect', '--format', '{{.Id}}', name];
  try {
    const { code, stdout } = await host.run('docker', args, { accept: [1] });
    return code === 0 ? stdout.trim() : undefined;
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'TOOL_MISSING') return undefined;
    throw error;
  }
}
