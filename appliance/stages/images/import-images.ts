import type { ReleaseImage } from '#contract/bundle/release.ts';
import { localImage } from '#contract/bundle/release-name.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Digest } from '#contract/trust/digest.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../../server/host/host.ts';
import { failureText } from '../../server/host/pull/pull-line.ts';
import type { PullPace } from '../../server/host/pull/retry-pull.ts';
import type { Reporter } from '../../server/stage/reporter.ts';
import type { Context } from '../../server/stage/stage.ts';
import { type LoopbackRegistry, ReleaseBlobs, startLoopbackRegistry } from './loopback-registry.ts';
import { isDiskFull, pullFailure, pullOutside } from './pull-outside.ts';
import { keepPulling } from './retry-pull.ts';

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
  const { host, release, releaseFolder, fetchBlobs } = context;
  const blobs = new ReleaseBlobs(release, releaseFolder);
  const carried = images.filter(
    ({ manifest }) => blobs.has(manifest) && (fetchBlobs || blobs.isHere(manifest)),
  );
  const outside = images.filter((image) => !carried.includes(image));
  if (carried.length > 0) await importCarried(context, blobs, carried, imported);
  for (const image of outside) {
    const source = await pullOutside(context, image);
    await name(host, source, localImage(image));
    await imported(image);
  }
}

async function importCarried(
  context: Context,
  blobs: ReleaseBlobs,
  images: readonly ReleaseImage[],
  imported: Imported,
): Promise<void> {
  const { host, report } = context;
  const total = images.reduce((sum, { size }) => sum + (size ?? 0), 0);
  let before = 0;
  const progress = (done: number) =>
    report.progress({ done: Math.min(total, before + done), total, unit: 'bytes' });
  const components = images.map(({ component }) => component).join(', ');
  report.say(inLanguage({ en: `importing ${components}`, zh: `导入 ${components}` }));
  const registry = await startLoopbackRegistry(blobs);
  try {
    for (const image of images) {
      const source = await pullOrFetch(context, registry, image, ({ done }) => progress(done));
      await name(host, source, localImage(image));
      await imported(image);
      before += image.size ?? 0;
      progress(0);
    }
  } finally {
    await registry.close();
  }
}

/**
 * Pulls an image of the bundle. Layers that Docker had when the release was downloaded are not in its
 * folder: if Docker requests one, it is fetched, and the pull is repeated.
 * @returns the reference under which it was pulled
 */
async function pullOrFetch(
  context: Context,
  registry: LoopbackRegistry,
  image: ReleaseImage,
  progress: Reporter['progress'],
): Promise<string> {
  const { host, report, fetchBlobs } = context;
  const fetched = new Set<Digest>();
  for (;;) {
    registry.absent.clear();
    try {
      return await pullCarried(host, registry, image, { say: report.say, progress });
    } catch (error) {
      const absent = [...registry.absent].filter((digest) => !fetched.has(digest));
      if (absent.length === 0) throw error;
      if (!fetchBlobs) return await pullOutside(context, image);
      await fetchBlobs(absent);
      for (const digest of absent) fetched.add(digest);
    }
  }
}

/** Tags an image with its local name and removes the name under which it was pulled. */
async function name(host: Host, source: string, local: string): Promise<void> {
  await host.run('docker', ['tag', source, local]);
  await host.run('docker', ['image', 'rm', '--no-prune', source], { accept: [1] });
}

/**
 * Pulls an image of the bundle from the loopback registry into Docker.
 * @returns the reference under which it was pulled
 * @throws LandfallError IMAGE_MISMATCH, DISK_FULL, DOCKER_UNREACHABLE
 */
export async function pullCarried(
  host: Host,
  registry: Pick<LoopbackRegistry, 'host' | 'absent'>,
  { component, manifest, size }: ReleaseImage,
  report: Pick<Reporter, 'say' | 'progress'>,
  pace: PullPace = {},
): Promise<string> {
  const reference = `${registry.host}/landfall/${component}@${manifest}`;
  const failed = (words: string) =>
    isDiskFull(words)
      ? pullFailure(component, words)
      : failure(`Docker cannot import the image of ${component} from the release`, {
          words,
          // The same pull cannot succeed without the layer.
          transient: registry.absent.size === 0,
        });
  const stalled = failure(`the import of the image of ${component} stalled`);
  await keepPulling(host, { reference, size, failed, stalled }, report, pace);
  return reference;
}

/** Returns an error without a hint about mirrors or routes, because the image is on this server. */
function failure(
  message: string,
  { words, transient = true }: { words?: string; transient?: boolean } = {},
): TransferError {
  return new TransferError('IMAGE_MISMATCH', message, {
    hint: {
      en: 'Check the logs: sudo journalctl --unit docker --lines 50',
      zh: '查看日志：sudo journalctl --unit docker --lines 50',
    },
    problems: words === undefined ? [] : [{ message: `Docker reports: ${failureText(words)}` }],
    transient,
  });
}
