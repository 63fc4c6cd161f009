import { LandfallError } from '#contract/errors.ts';
import { smokeFile } from '#contract/server-paths.ts';
import { writeText } from '../../host/files.ts';
import type { Context, Stage } from '../../stage/stage.ts';
import { runSmoke } from '../run-smoke.ts';
import type { SmokeResult, SmokeTest } from '../smoke-test.ts';
import { smokeTests } from '../smoke-tests.ts';
import { serverTarget } from './target.ts';

/** Everything at once, the way its users come to it. It changes nothing, so it is all proof. */
export const smokeStage: Stage = {
  name: 'smoke',
  title: 'smoke: does all of it work together?',
  check: async () => [],
  apply: async () => {},
  prove: (context) => prove(context),
};

/**
 * Runs smoke tests and keeps their results. A first boot is tried again until it ends, so it does
 * not wait for what trying again never mends: another's service, or a server that is too small.
 * @throws LandfallError SMOKE_FAILED for every other failure
 */
export async function prove(
  context: Context,
  tests: readonly SmokeTest[] = smokeTests,
): Promise<void> {
  const { host, report } = context;
  const total = tests.length;
  const target = await serverTarget(context);
  const results = await host.outside.measure(() =>
    runSmoke(
      target,
      ({ title, outcome }, index) => {
        if (outcome === 'failed') report.say(`does not hold: ${title}`);
        report.progress({ done: index + 1, total, unit: 'tests' });
      },
      tests,
    ),
  );
  await writeText(host, smokeFile, `${JSON.stringify(results, null, 2)}\n`);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  for (const result of failed.filter(isExcused)) {
    report.warn({ kind: 'smoke', subject: result.name, text: excuse(result) });
  }
  const own = failed.filter((result) => !isExcused(result));
  if (own.length > 0) throw smokeFailed(own);
}

function isExcused({ needsOthers, beyondServer }: SmokeResult): boolean {
  return needsOthers === true || beyondServer === true;
}

function excuse({ title, detail, lookAt, beyondServer }: SmokeResult): string {
  return beyondServer
    ? `not so, which takes a larger server or a smaller model: ${title}: ${detail}. ${lookAt}`
    : `not so, which may be the provider's fault: ${title}: ${detail}`;
}

/** What people read when smoke tests fail: what was found, and what to look at. */
function smokeFailed(failed: readonly SmokeResult[]): LandfallError {
  return new LandfallError('SMOKE_FAILED', `${failed.length} smoke tests failed`, {
    hint: 'The server is up and closed to strangers; what is named does not work yet. Again: sudo landfall smoke',
    problems: failed.map(({ title, detail, lookAt }) => ({
      message: `not so: ${title}: ${detail}`,
      hint: `look at: ${lookAt}`,
    })),
  });
}
