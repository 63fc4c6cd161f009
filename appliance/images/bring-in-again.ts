import { LandfallError } from '#contract/errors.ts';
import type { ReleaseImage } from '#contract/release.ts';
import { localImage } from '#contract/release-name.ts';
import type { Host } from '../host/host.ts';
import type { Context } from '../stage/stage.ts';
import { importImages } from './import-images.ts';

/**
 * Brings images in whose earlier import was cut off, believing nothing that the engine still has of
 * them. An engine may keep the layer of an image that it lost; the layer goes with the image that
 * is found broken, so the second try fetches it anew.
 * @throws LandfallError IMAGE_MISMATCH, COMMAND_FAILED, NETWORK_UNREACHABLE
 */
export async function bringInAgain(
  context: Context,
  images: readonly ReleaseImage[],
): Promise<void> {
  const { host, release, report } = context;
  report.say('bringing the images in again, because an earlier try was cut off');
  await forget(context, images);
  await importImages(context, images);
  const broken = await brokenAmong(host, release.version, images);
  if (broken.length === 0) return;
  await forget(context, broken);
  await importImages(context, broken);
  const still = await brokenAmong(host, release.version, broken);
  if (still.length === 0) return;
  throw new LandfallError('IMAGE_MISMATCH', "the engine's storage is damaged", {
    hint: 'Nothing but the engine uses it: stop Docker, move /var/lib/docker away, and start it again.',
    problems: still.map(({ component }) => ({ message: `${component} cannot be read` })),
  });
}

async function forget(
  { host, release }: Pick<Context, 'host' | 'release'>,
  images: readonly ReleaseImage[],
): Promise<void> {
  for (const { component } of images) {
    const name = localImage(component, release.version);
    await host.run('docker', ['image', 'rm', '--force', name], { accept: [1] });
  }
}

/** Packing an image reads every file of its layers, and the classic store compares checksums. */
async function brokenAmong(
  host: Host,
  version: string,
  images: readonly ReleaseImage[],
): Promise<ReleaseImage[]> {
  const broken: ReleaseImage[] = [];
  for (const image of images) {
    const pack = 'exec docker image save "$1" >/dev/null';
    const args = ['-c', pack, 'sh', localImage(image.component, version)];
    const { code } = await host.run('sh', args, { seconds: 3600, accept: [1] });
    if (code !== 0) broken.push(image);
  }
  return broken;
}
