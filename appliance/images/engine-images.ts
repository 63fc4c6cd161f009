import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';

/**
 * Whether the engine has an image under its local name, and it is the one of the release. Its ID is
 * the digest of the configuration on the classic store, and of the manifest (or of the index, when
 * that was pulled) on containerd's.
 */
export async function hasImage(host: Host, version: string, image: ReleaseImage): Promise<boolean> {
  const id = await imageId(host, localImage(image.component, version));
  if (id === undefined) return false;
  if (image.config === null) return true;
  return [image.config, image.manifest, image.index].includes(id);
}

/** Nothing while there is no such image, or no engine that could have it. */
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
