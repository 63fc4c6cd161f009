import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import type { ImageStore } from '#contract/sizes/disk-needs.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';
import type { Context } from '../../server/stage/stage.ts';

/** Disk decisions that preflight makes and later stages follow. */
export const diskPlanFile = 'var/lib/landfall/disk-plan.json';

const diskPlanSchema = z.strictObject({
  /** The version of the release. */
  release: z.string(),
  /** Whether the blobs of a full bundle are deleted once Docker has loaded the images. */
  dropBlobs: z.boolean(),
  /** Whether an update has space to keep the previous release. */
  keepPrevious: z.boolean(),
  /** Size of the swap file in bytes; 0 if the disk has no space for it. */
  swap: z.int().nonnegative(),
});
type DiskPlan = z.infer<typeof diskPlanSchema>;
export const storedDiskPlan = new StateFile(diskPlanFile, diskPlanSchema, { isLine: true });

/**
 * Returns the plan for a release; undefined if there is none. On an installed server it is that of the
 * first boot: an update checks its own space, and the images of both releases would count twice.
 */
export async function readDiskPlan(host: Host, release: string): Promise<DiskPlan | undefined> {
  const plan = await storedDiskPlan.read(host);
  if (!plan || plan.release === release) return plan;
  return (await readText(host, installedMark)) === undefined ? undefined : plan;
}

/**
 * Removes a folder of the bundle if the disk plan needs its space. The folder is renamed first, so that
 * a partly removed one is never used.
 * @param what for users, such as the bundled images
 */
export async function dropBundled(
  { host, release, releaseFolder, report }: Omit<Context, 'server'>,
  folder: string,
  what: Text,
): Promise<void> {
  const plan = await readDiskPlan(host, release.version);
  if (plan?.dropBlobs !== true) return;
  const [path, doomed] = [join(releaseFolder, folder), join(releaseFolder, `${folder}.dropped`)];
  if (existsSync(path)) {
    report.say(inLanguage({ en: `removing ${what.en}`, zh: `删除${what.zh}` }));
    await rm(doomed, { recursive: true, force: true });
    await rename(path, doomed);
  }
  await rm(doomed, { recursive: true, force: true });
}

/** A hung daemon counts as down. */
const timeoutSeconds = 20;

/** Returns the image store of the running Docker daemon; undefined if the daemon is down. */
export async function dockerImageStore(host: Host): Promise<ImageStore | undefined> {
  const args = ['info', '--format', '{{json .DriverStatus}}'];
  try {
    const { stdout } = await host.run('docker', args, { seconds: timeoutSeconds });
    if (!stdout.startsWith('[')) return undefined;
    return stdout.includes('io.containerd.snapshotter') ? 'containerd' : 'classic';
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}

/** The image folder of each store, relative to the root folder. */
export const imageFolder: Readonly<Record<ImageStore, string>> = {
  classic: 'var/lib/docker',
  containerd: 'var/lib/containerd',
};

type Facts = Pick<Context, 'host'>;

/**
 * Returns the store that Docker will use: the one set in daemon.json, else that of the installed
 * Docker, else the classic one, which a new Docker gets (`runtime/daemon-settings.ts`).
 */
export async function imageStoreFor(facts: Facts): Promise<ImageStore> {
  return (await chosenStore(facts)) ?? (await dockerImageStore(facts.host)) ?? 'classic';
}

const settingsSchema = z.object({
  features: z.object({ 'containerd-snapshotter': z.boolean() }),
});

/** Reads the administrator's choice; a later stage reports a file that is not JSON. */
async function chosenStore({ host }: Facts): Promise<ImageStore | undefined> {
  try {
    const text = (await readText(host, 'etc/docker/daemon.json')) ?? '';
    const { features } = settingsSchema.parse(JSON.parse(text));
    return features['containerd-snapshotter'] ? 'containerd' : 'classic';
  } catch {
    return undefined;
  }
}
