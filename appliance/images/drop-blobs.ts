import { access, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readDiskPlan } from '../host/disk-plan.ts';
import type { Context } from '../stage/stage.ts';

type Place = Pick<Context, 'releaseFolder'>;

/**
 * Removes the blobs of a bundle where the disk has no room for them beside what is to come. The
 * engine must have every image by now. They lose their name first, so that a half removed folder is
 * never taken for a whole one.
 */
export async function dropBlobs({ host, release, releaseFolder, report }: Context): Promise<void> {
  const plan = await readDiskPlan(host, release.version);
  if (plan?.dropBlobs !== true) return;
  const doomed = join(releaseFolder, 'blobs.dropped');
  if (await hasBlobs({ releaseFolder })) {
    report.say("removing the bundle's copy of the images, which the engine has now");
    await rm(doomed, { recursive: true, force: true });
    await rename(join(releaseFolder, 'blobs'), doomed);
  }
  await rm(doomed, { recursive: true, force: true });
}

/** Whether a release still has the blobs that it came with. */
export async function hasBlobs({ releaseFolder }: Place): Promise<boolean> {
  return await access(join(releaseFolder, 'blobs')).then(
    () => true,
    () => false,
  );
}
