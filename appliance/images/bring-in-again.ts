import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';
import { dockerImageStore } from '../host/image-store.ts';
import type { Context } from '../stage/stage.ts';
import { type Imported, importImages } from './import-images.ts';

/**
 * Imports images again that a power cut may have damaged. Docker's copies are all removed first,
 * because images share layers. Docker may keep a damaged layer; removing the damaged image also removes
 * the layer, so the second import is complete.
 * @param doomed local names to remove: those of the images, and other suspect ones
 * @param settled called for each image after it was verified
 * @throws LandfallError IMAGE_MISMATCH, COMMAND_FAILED, NETWORK_UNREACHABLE
 */
export async function bringInAgain(
  context: Context,
  images: readonly ReleaseImage[],
  doomed: readonly string[],
  settled: Imported,
): Promise<void> {
  const { host, report, release } = context;
  report.say('importing images again: a power cut may have damaged them');
  for (const name of doomed) await forget(host, name);
  await importImages(context, images, async (image) => {
    const name = localImage(image.component, release.version);
    if (!(await isWhole(host, name))) {
      await forget(host, name);
      await importImages(context, [image]);
      if (!(await isWhole(host, name))) throw await damaged(host, image);
    }
    await settled(image);
  });
}

async function forget(host: Host, name: string): Promise<void> {
  await host.run('docker', ['image', 'rm', '--force', name], { accept: [1] });
}

/** Saving an image reads all files of its layers, and the classic store verifies checksums. */
async function isWhole(host: Host, name: string): Promise<boolean> {
  const args = ['-c', 'exec docker image save "$1" >/dev/null', 'sh', name];
  return (await host.run('sh', args, { seconds: 3600, accept: [1] })).code === 0;
}

/** The folders in the hint do not include volumes, so models and chats are kept. */
async function damaged(host: Host, { component }: ReleaseImage): Promise<LandfallError> {
  const folders =
    (await dockerImageStore(host)) === 'containerd'
      ? '/var/lib/containerd'
      : '/var/lib/docker/image and /var/lib/docker/overlay2';
  return new LandfallError('IMAGE_MISMATCH', "Docker's storage is damaged", {
    hint: `Stop it with: sudo systemctl stop docker.socket docker containerd. Then move ${folders} away and restart the server. Models and chats are kept.`,
    problems: [{ message: `${component} cannot be read` }],
  });
}
