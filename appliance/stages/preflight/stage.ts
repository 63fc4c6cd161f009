import type { Release } from '#contract/bundle/release.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import { checkSite } from '#contract/site/rules.ts';
import { type DiskNeeds, sum, swapSize } from '#contract/sizes/disk-needs.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { denialsOf, describeDenial } from '../../server/host/apparmor.ts';
import { type BilingualWarning, silentReporter } from '../../server/stage/reporter.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { checkComponents, checkMachine, checkModels, warnOfModels } from './check-machine.ts';
import { checkClock, correctClock, describeClock } from './clock.ts';
import { checkEngineAddresses } from './engines.ts';
import { checkForeignSoftware } from './foreign-software.ts';
import { checkKernel } from './kernel-abilities.ts';
import { checkNames } from './names.ts';
import { decideDisk, diskSpace } from './plan-disk.ts';
import { checkPorts } from './ports.ts';
import { readDiskPlan, storedDiskPlan } from './public.ts';
import { checkTunnel } from './tunnel.ts';

/**
 * Checks the server before anything is installed. A wrong clock is corrected first, because downloads
 * fail with it.
 */
export const preflightStage: Stage = {
  name: 'preflight',
  title: 'preflight: check that this server meets the requirements',
  check: async (context) => [
    ...(await problemsOf({ ...context, report: silentReporter })).map((problem) =>
      inLanguage(rejects(formatProblem(problem))),
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
        text: {
          en: `the release is newer than this program, which ignores ${ignoredFields.join(', ')}`,
          zh: `版本比这个程序新，程序忽略了 ${ignoredFields.join(', ')}`,
        },
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
    checkTunnel(context),
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

function rejects(why: string): Text {
  return { en: `reject this server: ${why}`, zh: `拒绝这台服务器：${why}` };
}

function unfit(problems: readonly Problem[]): LandfallError {
  return new LandfallError(
    'SERVER_UNFIT',
    inLanguage({ en: 'this server does not meet the requirements', zh: '这台服务器不满足要求' }),
    {
      hint: {
        en: 'Fix the problems above, or use the same user-data on another server. Nothing was installed.',
        zh: '解决上面的问题，或在另一台服务器上使用同一份 user-data。没有安装任何东西。',
      },
      problems,
    },
  );
}

/**
 * Warns about an expired release. It is still installed at the first boot: the administrator pinned
 * it, and there may be no newer release.
 */
function warnOfExpiry({ version, expires }: Release, now: Date): BilingualWarning[] {
  if (now.getTime() < Date.parse(expires)) return [];
  const text = {
    en: `release ${version} expired on ${expires} and no longer gets security updates; create user-data from a newer release`,
    zh: `版本 ${version} 已于 ${expires} 过期，不再得到安全更新；请用更新的版本生成 user-data`,
  };
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
  return [
    {
      message: inLanguage({
        en: `only ${formatBytes(free)} of disk space is free`,
        zh: `磁盘只剩 ${formatBytes(free)}`,
      }),
      hint: inLanguage({ en: 'Free some space.', zh: '释放一些空间。' }),
    },
  ];
}

/** Describes the disk plan, one sentence each; empty if it exists already. */
export async function describeDisk(context: Context): Promise<string[]> {
  if (await isPlanned(context)) return [];
  const { needs, refusals, dropBlobs, keepPrevious } = await decideDisk(context);
  if (refusals.length > 0) return [];
  return [
    {
      en: `plan the disk: ${formatBytes(needs.images)} for images and ${describeModels(needs).en}`,
      zh: `规划磁盘：镜像 ${formatBytes(needs.images)}，${describeModels(needs).zh}`,
    },
    ...(dropBlobs ? [removesBlobs(formatBytes(needs.blobs))] : []),
    ...(keepPrevious
      ? []
      : [
          {
            en: 'reserve no disk space for the previous release',
            zh: '不为上一个版本预留磁盘空间',
          },
        ]),
  ].map((line) => inLanguage(line));
}

/** Writes the disk plan for the stages that use the space. */
export async function storeDiskPlan(context: Context): Promise<void> {
  const { host, server, release } = context;
  if (await isPlanned(context)) return;
  const { refusals, dropBlobs, keepPrevious, spare } = await decideDisk(context);
  if (refusals.length > 0) return;
  const swap = swapSize(server.memory, spare);
  await storedDiskPlan.write(host, { release: release.version, dropBlobs, keepPrevious, swap });
}

/** Warns about the disk plan in every run, because the run that wrote it may have failed. */
export async function warnOfDisk({ host, release, site, report }: Context): Promise<void> {
  const unknown = chosenImages(release, site).filter(({ size }) => size === null).length;
  if (unknown > 0) {
    const text = {
      en: `the sizes of ${unknown} images are unknown; the disk may be too small`,
      zh: `${unknown} 个镜像的大小未知，磁盘可能不够大`,
    };
    report.warn({ kind: 'disk', subject: 'images', text });
  }
  if ((await readDiskPlan(host, release.version))?.keepPrevious === false) {
    const text = {
      en: 'not enough disk space to keep this release after an update',
      zh: '磁盘空间不足，更新后无法保留这个版本',
    };
    report.warn({ kind: 'disk', subject: 'previous release', text });
  }
}

async function isPlanned({ host, release }: Context): Promise<boolean> {
  return (await readDiskPlan(host, release.version)) !== undefined;
}

function removesBlobs(size: string): Text {
  return {
    en: `remove ${size} of bundled images after Docker has imported them`,
    zh: `Docker 导入镜像后，删除发布包中 ${size} 的镜像`,
  };
}

function describeModels({ models }: DiskNeeds): Text {
  const names = Object.keys(models);
  if (names.length === 0) return { en: 'no models', zh: '没有模型' };
  const size = formatBytes(sum(Object.values(models)));
  return { en: `about ${size} for ${names.join(', ')}`, zh: `${names.join('、')} 约 ${size}` };
}
