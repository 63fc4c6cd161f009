import { LandfallError } from '#contract/errors.ts';
import type { ReleaseImage } from '#contract/release.ts';
import { localImage } from '#contract/release-name.ts';
import type { Host } from '../host/host.ts';
import type { Context } from '../stage/stage.ts';
import { BlobShelf } from './blob-shelf.ts';
import { hasBlobs } from './drop-blobs.ts';
import { LoopbackRegistry } from './loopback-registry.ts';
import { pullReferences } from './pull-reference.ts';

/** A slow line may need hours for the largest image. */
const pullSeconds = 6 * 60 * 60;

/** Told of each image as soon as it has its local name. */
export type Imported = (image: ReleaseImage) => Promise<void>;

/**
 * Brings images into the engine: what the release carries over loopback, the rest from registries.
 * @throws LandfallError COMMAND_FAILED with what the engine said
 */
export async function importImages(
  context: Context,
  images: readonly ReleaseImage[],
  imported: Imported = async () => {},
): Promise<void> {
  const { release, releaseFolder } = context;
  const shelf = new BlobShelf(release, releaseFolder);
  const here = await hasBlobs(context);
  const carried = images.filter(({ manifest }) => here && shelf.has(manifest));
  const outside = images.filter((image) => !carried.includes(image));
  if (carried.length > 0) await importCarried(context, shelf, carried, imported);
  for (const image of outside) {
    await pullOutside(context, image);
    await imported(image);
  }
}

async function importCarried(
  { host, release, report }: Context,
  shelf: BlobShelf,
  images: readonly ReleaseImage[],
  imported: Imported,
): Promise<void> {
  const total = images.reduce((sum, { size }) => sum + (size ?? 0), 0);
  let done = 0;
  report.say(`bringing in ${images.map(({ component }) => component).join(', ')}`);
  const registry = await LoopbackRegistry.start(shelf, (count) => {
    done = Math.min(total, done + count);
    report.progress({ done, total, unit: 'bytes' });
  });
  try {
    for (const image of images) {
      const source = `${registry.host}/landfall/${image.component}@${image.manifest}`;
      await pull(host, source);
      await name(host, source, localImage(image.component, release.version));
      await imported(image);
    }
  } finally {
    await registry.close();
  }
}

async function pullOutside(
  { host, site, release, report }: Context,
  image: ReleaseImage,
): Promise<void> {
  const references = pullReferences(image, site);
  const failures: LandfallError[] = [];
  for (const reference of references) {
    report.say(`pulling ${reference}`);
    try {
      await pull(host, reference);
      return await name(host, reference, localImage(image.component, release.version));
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      failures.push(error);
    }
  }
  throw new LandfallError('NETWORK_UNREACHABLE', `${image.reference} could not be pulled`, {
    hint: 'Name a mirror of its registry as mirrors.registries in the site, give the site a route, or use a full bundle, which has the images inside.',
    problems: failures.flatMap(({ problems }) => problems),
  });
}

async function pull(host: Host, reference: string): Promise<void> {
  await host.run('docker', ['pull', '--quiet', reference], { seconds: pullSeconds });
}

/** The image gets its local name and loses the one that it came under. */
async function name(host: Host, source: string, local: string): Promise<void> {
  await host.run('docker', ['tag', source, local]);
  await host.run('docker', ['image', 'rm', '--no-prune', source], { accept: [1] });
}
