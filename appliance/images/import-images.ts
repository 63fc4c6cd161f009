import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import type { Host } from '../host/host.ts';
import type { Context } from '../stage/stage.ts';
import { hasBlobs } from './drop-blobs.ts';
import { LoopbackRegistry } from './loopback-registry.ts';
import { pullCarried } from './pull-carried.ts';
import { pullOutside } from './pull-outside.ts';
import { ReleaseBlobs } from './release-blobs.ts';

/** Called for each image when it has its local name. */
export type Imported = (image: ReleaseImage) => Promise<void>;

/**
 * Imports images into Docker: those in the bundle over loopback, the others from registries.
 * @throws LandfallError COMMAND_FAILED, and those of {@link pullCarried} and {@link pullOutside}
 */
export async function importImages(
  context: Context,
  images: readonly ReleaseImage[],
  imported: Imported = async () => {},
): Promise<void> {
  const { host, release, releaseFolder } = context;
  const blobs = new ReleaseBlobs(release, releaseFolder);
  const here = await hasBlobs(context);
  const carried = images.filter(({ manifest }) => here && blobs.has(manifest));
  const outside = images.filter((image) => !carried.includes(image));
  if (carried.length > 0) await importCarried(context, blobs, carried, imported);
  for (const image of outside) {
    const source = await pullOutside(context, image);
    await name(host, source, localImage(image.component, release.version));
    await imported(image);
  }
}

async function importCarried(
  { host, release, report }: Context,
  blobs: ReleaseBlobs,
  images: readonly ReleaseImage[],
  imported: Imported,
): Promise<void> {
  const total = images.reduce((sum, { size }) => sum + (size ?? 0), 0);
  let before = 0;
  const progress = (done: number) =>
    report.progress({ done: Math.min(total, before + done), total, unit: 'bytes' });
  report.say(`importing ${images.map(({ component }) => component).join(', ')}`);
  const registry = await LoopbackRegistry.start(blobs);
  try {
    for (const image of images) {
      const source = await pullCarried(host, registry.host, image, {
        say: report.say,
        progress: ({ done }) => progress(done),
      });
      await name(host, source, localImage(image.component, release.version));
      await imported(image);
      before += image.size ?? 0;
      progress(0);
    }
  } finally {
    await registry.close();
  }
}

/** Tags an image with its local name and removes the name under which it was pulled. */
async function name(host: Host, source: string, local: string): Promise<void> {
  await host.run('docker', ['tag', source, local]);
  await host.run('docker', ['image', 'rm', '--no-prune', source], { accept: [1] });
}
