import { LandfallError } from '#contract/errors.ts';
import { smokeFile } from '#contract/server-paths.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { writeText } from '../host/files.ts';
import { runSmoke } from '../shared/smoke/run-smoke.ts';
import type { SmokeResult, SmokeTest } from '../shared/smoke/smoke-test.ts';
import { smokeTests, titleOf } from '../shared/smoke/smoke-tests.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { serverTarget } from './target.ts';

/** Tests the whole stack the way users reach it. Has a proof only, because it changes nothing. */
export const smokeStage: Stage = {
  name: 'smoke',
  title: 'smoke: end-to-end tests',
  check: async () => [],
  apply: async () => {},
  prove: (context) => prove(context),
};

/**
 * Runs the smoke tests and stores the results. A first boot is retried until it succeeds. Failures
 * that a retry cannot fix become warnings: an external service is down, or the server is too small.
 * @throws LandfallError SMOKE_FAILED for any other failure
 */
export async function prove(
  context: Context,
  tests: readonly SmokeTest[] = smokeTests,
): Promise<void> {
  const { host, report, site } = context;
  // Warnings are stored in the report.
  const language = site.language ?? 'en';
  const total = tests.length;
  const target = await serverTarget(context);
  const results = await host.outside.measure(() =>
    runSmoke(
      target,
      (result, index) => {
        if (result.outcome === 'failed') {
          report.say(inLanguage(testFailed(result)));
        }
        report.progress({ done: index + 1, total, unit: 'tests' });
      },
      tests,
    ),
  );
  await writeText(host, smokeFile, `${JSON.stringify(results, null, 2)}\n`);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  for (const result of failed.filter(isExcused)) {
    report.warn({
      kind: 'smoke',
      subject: result.name,
      text: inLanguage(excuse(result), language),
    });
  }
  const own = failed.filter((result) => !isExcused(result));
  if (own.length > 0) throw smokeFailed(own);
}

function isExcused({ needsOthers, beyondServer }: SmokeResult): boolean {
  return needsOthers === true || beyondServer === true;
}

function testFailed(result: SmokeResult): Text {
  return { en: `test failed: ${result.title}`, zh: `测试失败：${titleOf(result, 'zh')}` };
}

function excuse(result: SmokeResult): Text {
  const { title, detail, lookAt, beyondServer } = result;
  const zh = titleOf(result, 'zh');
  return beyondServer
    ? {
        en: `test failed, the server may be too small for the model: ${title}: ${detail}. ${lookAt}`,
        zh: `测试失败，服务器对这个模型可能太小：${zh}：${detail}。${lookAt}`,
      }
    : {
        en: `test failed, the provider may be at fault: ${title}: ${detail}`,
        zh: `测试失败，可能是模型服务商的问题：${zh}：${detail}`,
      };
}

/** Returns the error for failed tests, with the cause and a hint for each. */
function smokeFailed(failed: readonly SmokeResult[]): LandfallError {
  return new LandfallError('SMOKE_FAILED', `${failed.length} smoke tests failed`, {
    hint: 'Fix the problems above, then run: sudo landfall smoke. The other components are up.',
    problems: failed.map((result) => ({
      message: `${inLanguage(testFailed(result))}: ${result.detail}`,
      hint: `see: ${result.lookAt}`,
    })),
  });
}
