import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';
import { engineImageStore } from '../host/image-store.ts';
import type { Context } from '../stage/stage.ts';
import { type Imported, importImages } from './import-images.ts';

/**
 * Brings images in that a power cut may have damaged, believing nothing that the engine still has of
 * them. All of them are forgotten first, because they share layers. An engine may keep a layer of an
 * image that it lost; the layer goes with the image that is found broken, so the second try fetches
 * it anew.
 * @param doomed local names to forget: those of the images, and any other that is not believed
 * @param settled told of each image once it is there and whole
 * @throws LandfallError IMAGE_MISMATCH, COMMAND_FAILED, NETWORK_UNREACHABLE
 */
export async function bringInAgain(
  context: Context,
  images: readonly ReleaseImage[],
  doomed: readonly string[],
  settled: Imported,
): Promise<void> {
  const { host, report, release } = context;
  report.say('bringing images in again, because a power cut may have damaged them');
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

/** Packing an image reads every file of its layers, and the classic store compares checksums. */
async function isWhole(host: Host, name: string): Promise<boolean> {
  const args = ['-c', 'exec docker image save "$1" >/dev/null', 'sh', name];
  return (await host.run('sh', args, { seconds: 3600, accept: [1] })).code === 0;
}

/** Volumes, so models and chats, lie beside the folders that are named. */
async function damaged(host: Host, { component }: ReleaseImage): Promise<LandfallError> {
  const places =
    (await engineImageStore(host)) === 'containerd'
      ? '/var/lib/containerd'
      : '/var/lib/docker/image and /var/lib/docker/overlay2';
  return new LandfallError('IMAGE_MISMATCH', "the engine's storage is damaged", {
    hint: `Stop it with: sudo systemctl stop docker.socket docker containerd. Then move ${places} away and restart the server; models and chats stay.`,
    problems: [{ message: `${component} cannot be read` }],
  });
}
