import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import type { Host } from '../host/host.ts';
import type { Context } from '../stage/stage.ts';
import { hasBlobs } from './drop-blobs.ts';
import { LoopbackRegistry } from './loopback-registry.ts';
import { pullOutside } from './pull-outside.ts';
import { ReleaseBlobs } from './release-blobs.ts';

/** From loopback; a small server needs many minutes to unpack the largest image. */
const carrySeconds = 2 * 60 * 60;

/** Told of each image as soon as it has its local name. */
export type Imported = (image: ReleaseImage) => Promise<void>;

/**
 * Brings images into the engine: what the release carries over loopback, the rest from registries.
 * @throws LandfallError COMMAND_FAILED with what the engine said, and those of {@link pullOutside}
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
  let done = 0;
  report.say(`bringing in ${images.map(({ component }) => component).join(', ')}`);
  const registry = await LoopbackRegistry.start(blobs, (count) => {
    done = Math.min(total, done + count);
    report.progress({ done, total, unit: 'bytes' });
  });
  try {
    for (const image of images) {
      const source = `${registry.host}/landfall/${image.component}@${image.manifest}`;
      await host.run('docker', ['pull', '--quiet', source], { seconds: carrySeconds });
      await name(host, source, localImage(image.component, release.version));
      await imported(image);
    }
  } finally {
    await registry.close();
  }
}

/** The image gets its local name and loses the one that it came under. */
async function name(host: Host, source: string, local: string): Promise<void> {
  await host.run('docker', ['tag', source, local]);
  await host.run('docker', ['image', 'rm', '--no-prune', source], { accept: [1] });
}
