import type { Problem } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { readDiskPlan, writeDiskPlan } from '../host/disk-plan.ts';
import { swapSize } from '../host/swap-size.ts';
import type { Context } from '../stage/stage.ts';
import { besideEngine, decideDisk, diskPlaces } from './decide-disk.ts';
import { type DiskNeeds, sum } from './disk-needs.ts';

/** Less is about to stop the server, whatever was planned. Bytes. */
const alarming = 0.3e9;

/**
 * Judges the disk once for each release: what its installation takes later was counted then.
 */
export async function judgeDisk(context: Context): Promise<Problem[]> {
  if (await isPlanned(context)) return await judgeRest(context);
  const { refusals } = await decideDisk(context);
  return [...refusals, ...(await judgeRoot(context))];
}

/** What is left of the disks that fill. */
async function judgeRest(context: Context): Promise<Problem[]> {
  const { images, models } = await diskPlaces(context);
  const free = Math.min(images.free, models.free);
  if (free > alarming) return [];
  return [{ message: `only ${formatBytes(free)} of its disk are free`, hint: 'Free some space.' }];
}

/** The root folder has little to carry where the engine has disks of its own. */
async function judgeRoot(context: Context): Promise<Problem[]> {
  const { images, models, own } = await diskPlaces(context);
  const shared = [images, models].some(({ device }) => device === own.device);
  if (shared || own.free >= besideEngine) return [];
  const message = `it has ${formatBytes(own.free)} free in its root folder, and needs ${formatBytes(besideEngine)} there`;
  return [{ message, hint: 'Free some space there, or make that disk larger.' }];
}

/** What is decided about the disk, as sentences; nothing where that was done. */
export async function describeDisk(context: Context): Promise<string[]> {
  if (await isPlanned(context)) return [];
  const { needs, refusals, dropBlobs, keepPrevious } = await decideDisk(context);
  if (refusals.length > 0) return [];
  return [
    `share out the disk: ${formatBytes(needs.images)} for images and ${describeModels(needs)}`,
    ...(dropBlobs
      ? [`remove ${formatBytes(needs.blobs)} of the bundle once the engine has its images`]
      : []),
    ...(keepPrevious ? [] : ['leave no room for the release before an update']),
  ];
}

/** Decides, and writes it down for the stages that fill the disk. */
export async function settleDisk(context: Context): Promise<void> {
  const { host, server, release } = context;
  if (await isPlanned(context)) return;
  const { refusals, dropBlobs, keepPrevious, spare } = await decideDisk(context);
  if (refusals.length > 0) return;
  const swap = swapSize(server.memory, spare);
  await writeDiskPlan(host, { release: release.version, dropBlobs, keepPrevious, swap });
}

/** What a person should know of the plan, in every run: the one that made it may have failed later. */
export async function warnOfDisk({ host, release, site, report }: Context): Promise<void> {
  const unknown = chosenImages(release, site).filter(({ size }) => size === null).length;
  if (unknown > 0) {
    const text = `the sizes of ${unknown} images are unknown, so the disk may turn out too small`;
    report.warn({ kind: 'disk', subject: 'images', text });
  }
  if ((await readDiskPlan(host, release.version))?.keepPrevious === false) {
    const text = 'the disk has no room to keep this release beside the next one when you update';
    report.warn({ kind: 'disk', subject: 'previous release', text });
  }
}

async function isPlanned({ host, release }: Context): Promise<boolean> {
  return (await readDiskPlan(host, release.version)) !== undefined;
}

function describeModels({ models }: DiskNeeds): string {
  const names = Object.keys(models);
  if (names.length === 0) return 'no models';
  return `about ${formatBytes(sum(Object.values(models)))} for ${names.join(', ')}`;
}
