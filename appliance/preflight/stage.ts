import type { Release } from '#contract/bundle/release.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { judgeSite } from '#contract/site/rules.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { silentReporter } from '../stage/reporter.ts';
import type { Context, Stage } from '../stage/stage.ts';
import type { Warning } from '../stage/warning.ts';
import { judgeMachine } from './check-machine.ts';
import { judgeModels, warnOfModels } from './check-models.ts';
import { describeClock, judgeClock, settleClock } from './clock.ts';
import { judgeComponents } from './components.ts';
import { describeDisk, judgeDisk, settleDisk, warnOfDisk } from './disk.ts';
import { judgeForeignSoftware } from './foreign-software.ts';
import { judgeKernel } from './kernel-abilities.ts';
import { judgeNames } from './names.ts';
import { judgePorts } from './ports.ts';

/**
 * Checks the server before anything is installed. A wrong clock is corrected first, because downloads
 * fail with it.
 */
export const preflightStage: Stage = {
  name: 'preflight',
  title: 'preflight: check that this server meets the requirements',
  check: async (context) => [
    ...(await judge({ ...context, report: silentReporter })).map(
      (problem) => `reject this server: ${formatProblem(problem)}`,
    ),
    ...(await describeClock(context)),
    ...(await describeDisk(context)),
  ],
  apply: async (context) => {
    await settleClock(context);
    await settleDisk(context);
  },
  prove: async (context) => {
    const problems = await judge(context);
    if (problems.length > 0) throw unfit(problems);
    await warnOfDisk(context);
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

/** Returns all problems of the server. */
async function judge(context: Context): Promise<Problem[]> {
  const { server, release, site } = context;
  const problems = await Promise.all([
    judgeMachine(server, release),
    judgeDisk(context),
    judgeClock(context),
    judgeNames(context),
    judgePorts(context),
    judgeComponents(context),
    judgeModels(context),
    // The site may have been edited on the server after the builder checked it.
    judgeSite(site).map(({ message, hint }) => ({ message, hint })),
    judgeForeignSoftware(context),
    judgeKernel(context),
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
