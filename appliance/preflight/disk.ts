import type { Problem } from '#contract/errors.ts';
import { readDiskPlan, writeDiskPlan } from '../host/disk-plan.ts';
import { freeSpace } from '../host/free-space.ts';
import { swapSize } from '../host/swap-size.ts';
import type { Context } from '../stage/stage.ts';
import { type DiskNeeds, diskNeeds, sum } from './disk-needs.ts';
import { type DiskDecision, inGigabytes, planDisk } from './plan-disk.ts';

/** Where images and models go; releases lie under the root folder. */
const engineFolder = 'var/lib/docker';
/** Less is about to stop the server, whatever was planned. Bytes. */
const alarming = 0.3e9;
/** For packages, logs and updates of the system, without images and models. Bytes. */
const besideEngine = 1.5e9;

/**
 * Judges the disk once for each release: what its installation takes later was counted then.
 */
export async function judgeDisk(context: Context): Promise<Problem[]> {
  const { free } = await freeSpace(context.host, engineFolder);
  if (await isPlanned(context)) {
    if (free > alarming) return [];
    return [
      { message: `only ${inGigabytes(free)} of its disk are free`, hint: 'Free some space.' },
    ];
  }
  const { refusal } = await decide(context);
  return [...(refusal ? [refusal] : []), ...(await judgeRoot(context))];
}

/** The root folder has little to carry where the engine has a disk of its own. */
async function judgeRoot({ host }: Context): Promise<Problem[]> {
  const [engine, own] = await Promise.all([freeSpace(host, engineFolder), freeSpace(host, '.')]);
  if (engine.device === own.device || own.free >= besideEngine) return [];
  const message = `it has ${inGigabytes(own.free)} free in its root folder, and needs ${inGigabytes(besideEngine)} there`;
  return [{ message, hint: 'Free some space there, or make that disk larger.' }];
}

/** What is decided about the disk, as sentences; nothing where that was done. */
export async function describeDisk(context: Context): Promise<string[]> {
  if (await isPlanned(context)) return [];
  const needs = diskNeeds(context.release, context.site);
  const { refusal, dropBlobs, keepPrevious } = await decide(context);
  if (refusal) return [];
  return [
    `share out the disk: ${inGigabytes(needs.images)} for images and ${describeModels(needs)}`,
    ...(dropBlobs
      ? [`remove ${inGigabytes(needs.blobs)} of the bundle once the engine has its images`]
      : []),
    ...(keepPrevious ? [] : ['leave no room for the release before an update']),
  ];
}

/** Decides, and writes it down for the stages that fill the disk. */
export async function settleDisk(context: Context): Promise<void> {
  const { host, server, release, report } = context;
  if (await isPlanned(context)) return;
  const { refusal, dropBlobs, keepPrevious, spare } = await decide(context);
  if (refusal) return;
  const { unknown } = diskNeeds(release, context.site);
  if (unknown > 0) {
    report.warn(`the sizes of ${unknown} images are unknown, so the disk may turn out too small`);
  }
  if (!keepPrevious) {
    report.warn('the disk has no room to keep this release beside the next one when you update');
  }
  const swap = swapSize(server.memory, spare);
  await writeDiskPlan(host, { release: release.version, dropBlobs, keepPrevious, swap });
}

async function isPlanned({ host, release }: Context): Promise<boolean> {
  return (await readDiskPlan(host, release.version)) !== undefined;
}

/** What the bundle has on one disk gives nothing to another, and swap lies in the root folder. */
async function decide({ host, release, site }: Context): Promise<DiskDecision> {
  const [engine, own] = await Promise.all([freeSpace(host, engineFolder), freeSpace(host, '.')]);
  const needs = diskNeeds(release, site);
  if (engine.device === own.device) return planDisk(needs, engine.free);
  return {
    ...planDisk({ ...needs, blobs: 0, carried: 0 }, engine.free),
    spare: own.free - besideEngine,
  };
}

function describeModels({ models }: DiskNeeds): string {
  const names = Object.keys(models);
  if (names.length === 0) return 'no models';
  return `about ${inGigabytes(sum(Object.values(models)))} for ${names.join(', ')}`;
}
