import type { Release } from '#contract/bundle/release.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { checkSite } from '#contract/site/rules.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { denialsOf, describeDenial } from '../../server/host/apparmor.ts';
import { silentReporter, type Warning } from '../../server/stage/reporter.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { checkComponents, checkMachine, checkModels, warnOfModels } from './check-machine.ts';
import { checkClock, correctClock, describeClock } from './clock.ts';
import { checkEngineAddresses } from './engines.ts';
import { checkForeignSoftware } from './foreign-software.ts';
import { checkKernel } from './kernel-abilities.ts';
import { checkNames } from './names.ts';
import { type DiskNeeds, decideDisk, diskSpace, sum } from './plan-disk.ts';
import { checkPorts } from './ports.ts';
import { readDiskPlan, swapSize, writeDiskPlan } from './public.ts';

/**
 * Checks the server before anything is installed. A wrong clock is corrected first, because downloads
 * fail with it.
 */
export const preflightStage: Stage = {
  name: 'preflight',
  title: 'preflight: check that this server meets the requirements',
  check: async (context) => [
    ...(await problemsOf({ ...context, report: silentReporter })).map(
      (problem) => `reject this server: ${formatProblem(problem)}`,
    ),
    ...(await describeClock(context)),
    ...(await describeDisk(context)),
  ],
  apply: async (context) => {
    await correctClock(context);
    await storeDiskPlan(context);
  },
  prove: async (context) => {
    const problems = await problemsOf(context);
    if (problems.length > 0) throw unfit(problems);
    await warnOfDisk(context);
    for (const denial of await denialsOf(context.host)) {
      context.report.warn({
        kind: 'kernel',
        subject: denial.profile,
        text: describeDenial(denial),
      });
    }
    const { ignoredFields = [] } = context;
    if (ignoredFields.length > 0) {
      context.report.warn({
        kind: 'ignored-fields',
        subject: 'release.json',
        text: `the release is newer than this program, which ignores ${ignoredFields.join(', ')}`,
      });
    }
    const warnings = [...warnOfExpiry(context.release, new Date()), ...warnOfModels(context)];
    for (const warning of warnings) context.report.warn(warning);
  },
};

/** Returns why this server does not meet the requirements of its release and its site. */
export async function problemsOf(context: Context): Promise<Problem[]> {
  const { server, release, site } = context;
  const problems = await Promise.all([
    checkMachine(server, release),
    checkDisk(context),
    checkClock(context),
    checkNames(context),
    checkPorts(context),
    checkComponents(context),
    checkModels(context),
    // The site may have been edited on the server after the builder checked it.
    checkSite(site).map(({ message, hint }) => ({ message, hint })),
    checkEngineAddresses(context),
    checkForeignSoftware(context),
    checkKernel(context),
  ]);
  return problems.flat();
}

function unfit(problems: readonly Problem[]): LandfallError {
  return new LandfallError('SERVER_UNFIT', 'this server does not meet the requirements', {
    hint: 'Fix the problems above, or use the same user-data on another server. Nothing was installed.',
    problems,
  });
}

/**
 * Warns about an expired release. It is still installed at the first boot: the administrator pinned
 * it, and there may be no newer release.
 */
function warnOfExpiry({ version, expires }: Release, now: Date): Warning[] {
  if (now.getTime() < Date.parse(expires)) return [];
  const text = `release ${version} expired on ${expires} and no longer gets security updates; create user-data from a newer release`;
  return [{ kind: 'release-expired', subject: version, text }];
}

/** Less free space is an error even after planning. Bytes. */
const minFree = 0.3e9;

/**
 * Checks the disk space. The needs of a release are checked once, because its installation then uses
 * the space.
 */
export async function checkDisk(context: Context): Promise<readonly Problem[]> {
  if (await isPlanned(context)) return await checkRest(context);
  return (await decideDisk(context)).refusals;
}

async function checkRest(context: Context): Promise<Problem[]> {
  const { images, models } = await diskSpace(context);
  const free = Math.min(images.free, models.free);
  if (free > minFree) return [];
  return [{ message: `only ${formatBytes(free)} of disk space is free`, hint: 'Free some space.' }];
}

/** Describes the disk plan, one sentence each; empty if it exists already. */
export async function describeDisk(context: Context): Promise<string[]> {
  if (await isPlanned(context)) return [];
  const { needs, refusals, dropBlobs, keepPrevious } = await decideDisk(context);
  if (refusals.length > 0) return [];
  return [
    `plan the disk: ${formatBytes(needs.images)} for images and ${describeModels(needs)}`,
    ...(dropBlobs
      ? [`remove ${formatBytes(needs.blobs)} of bundled images after Docker has imported them`]
      : []),
    ...(keepPrevious ? [] : ['reserve no disk space for the previous release']),
  ];
}

/** Writes the disk plan for the stages that use the space. */
export async function storeDiskPlan(context: Context): Promise<void> {
  const { host, server, release } = context;
  if (await isPlanned(context)) return;
  const { refusals, dropBlobs, keepPrevious, spare } = await decideDisk(context);
  if (refusals.length > 0) return;
  const swap = swapSize(server.memory, spare);
  await writeDiskPlan(host, { release: release.version, dropBlobs, keepPrevious, swap });
}

/** Warns about the disk plan in every run, because the run that wrote it may have failed. */
export async function warnOfDisk({ host, release, site, report }: Context): Promise<void> {
  const unknown = chosenImages(release, site).filter(({ size }) => size === null).length;
  if (unknown > 0) {
    const text = `the sizes of ${unknown} images are unknown; the disk may be too small`;
    report.warn({ kind: 'disk', subject: 'images', text });
  }
  if ((await readDiskPlan(host, release.version))?.keepPrevious === false) {
    const text = 'not enough disk space to keep this release after an update';
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
