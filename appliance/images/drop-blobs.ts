import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readDiskPlan } from '../preflight/public.ts';
import type { Context } from '../stage/stage.ts';

type ReleaseLocation = Pick<Context, 'releaseFolder'>;

/**
 * Removes the blobs of a bundle if the disk plan needs their space. Docker must have imported every
 * image. The folder is renamed first, so that a partly removed one is never used.
 */
export async function dropBlobs({ host, release, releaseFolder, report }: Context): Promise<void> {
  const plan = await readDiskPlan(host, release.version);
  if (plan?.dropBlobs !== true) return;
  const doomed = join(releaseFolder, 'blobs.dropped');
  if (await hasBlobs({ releaseFolder })) {
    report.say('removing the bundled images, which Docker has imported');
    await rm(doomed, { recursive: true, force: true });
    await rename(join(releaseFolder, 'blobs'), doomed);
  }
  await rm(doomed, { recursive: true, force: true });
}

/** Returns whether the blobs of a bundle still exist. */
export async function hasBlobs({ releaseFolder }: ReleaseLocation): Promise<boolean> {
  return await access(join(releaseFolder, 'blobs')).then(
    () => true,
    () => false,
  );
}
