import { LandfallError, type Problem } from '#contract/errors.ts';
import { judgeSite } from '#contract/site/rules.ts';
import { formatProblem } from '#contract/text/problem.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { describeClock, judgeClock, settleClock } from './clock.ts';
import { describeDisk, judgeDisk, settleDisk, warnOfDisk } from './disk.ts';
import { judgeForeignSoftware } from './foreign-software.ts';
import { judgeMachine } from './judge-machine.ts';
import { judgeModels, warnOfModels } from './judge-models.ts';
import { judgeKernel } from './kernel-abilities.ts';
import { judgeNames } from './names.ts';
import { judgeParts } from './parts.ts';
import { judgePorts } from './ports.ts';
import { warnOfExpiry } from './warn-expiry.ts';

/**
 * Judges a server before anything is installed on it. The clock is set first where it is wrong:
 * nothing can be fetched then.
 */
export const preflightStage: Stage = {
  name: 'preflight',
  title: 'preflight: can this server carry the release?',
  check: async (context) => [
    ...(await judge({ ...context, report: silent })).map(
      (problem) => `refuse this server: ${formatProblem(problem)}`,
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

/** What is merely planned warns nobody. */
const silent = { say: () => {}, progress: () => {}, warn: () => {} };

/** Everything that speaks against a server, at once. */
async function judge(context: Context): Promise<Problem[]> {
  const { server, release, site } = context;
  const problems = await Promise.all([
    judgeMachine(server, release),
    judgeDisk(context),
    judgeClock(context),
    judgeNames(context),
    judgePorts(context),
    judgeParts(context),
    judgeModels(context),
    // A person may have changed it here since the builder judged it.
    judgeSite(site).map(({ message, hint }) => ({ message, hint })),
    judgeForeignSoftware(context),
    judgeKernel(context),
  ]);
  return problems.flat();
}

function unfit(problems: readonly Problem[]): LandfallError {
  return new LandfallError('SERVER_UNFIT', 'this server cannot carry the release', {
    hint: 'Nothing was installed. Mend what is named, or paste the same user-data into a server that fits.',
    problems,
  });
}
