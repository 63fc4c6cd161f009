import { utimes } from 'node:fs/promises';
import { z } from 'zod';
import { happenedWithin } from '#contract/clock.ts';
import { LandfallError } from '#contract/errors.ts';
import { smokeFile } from '#contract/server-paths.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { statIfPresent } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { runSmoke } from '../../shared/smoke/run-smoke.ts';
import type { SmokeResult, SmokeTest } from '../../shared/smoke/smoke-test.ts';
import { smokeTests, titleOf } from '../../shared/smoke/smoke-tests.ts';
import { serverTarget } from './target.ts';

/** Tests the whole stack the way users reach it. Has a proof only, because it changes nothing. */
export const smokeStage: Stage = {
  name: 'smoke',
  title: 'smoke: end-to-end tests',
  check: async () => [],
  apply: async () => {},
  prove: (context) => prove(context),
};

interface SmokeOptions {
  readonly tests?: readonly SmokeTest[];
  /** Names of tests that failed before an update: the release is not their cause. */
  readonly failedBefore?: readonly string[];
}

/**
 * Runs the smoke tests and stores the results. A first boot is retried until it succeeds. Failures
 * that a retry cannot fix become warnings: an external service is down, the server is too small, or the
 * test failed before an update too.
 * @throws LandfallError SMOKE_FAILED for any other failure
 */
export async function prove(
  context: Context,
  { tests = smokeTests, failedBefore = [] }: SmokeOptions = {},
): Promise<void> {
  const { host, report } = context;
  const results = await runTests(context, tests);
  await store(host, results);
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const excuses = failed.map((result) => ({ result, text: excuseOf(result, failedBefore) }));
  for (const { result, text } of excuses) {
    if (!text) continue;
    report.warn({ kind: 'smoke', subject: result.name, text });
  }
  const own = excuses.filter(({ text }) => !text).map(({ result }) => result);
  if (own.length > 0) throw smokeFailed(own);
}

/** Runs smoke tests, and returns the names of those that failed. */
export async function failingTests(
  context: Context,
  tests: readonly SmokeTest[],
): Promise<string[]> {
  const results = await runTests(context, tests);
  return results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
}

const storedSchema = z.array(z.looseObject({ name: z.string(), outcome: z.string() }));
const storedResults = new StateFile(smokeFile, storedSchema);

/**
 * Stores the results. Those of tests that did not run now stay, and then the file keeps its time: it is as old as its
 * oldest result.
 */
async function store(host: Host, results: readonly SmokeResult[]): Promise<void> {
  const found = await statIfPresent(host, smokeFile);
  const isNew = (name: string) => results.some((result) => result.name === name);
  const others = ((await storedResults.read(host)) ?? []).filter(
    ({ name }) => !isNew(name) && smokeTests.some((test) => test.name === name),
  );
  await storedResults.write(host, [...others, ...results.map((result) => ({ ...result }))]);
  if (found && others.length > 0) await utimes(host.path(smokeFile), found.atime, found.mtime);
}

/**
 * Returns the names of the tests that failed in the last run of {@link prove}.
 * @param maxAge milliseconds
 * @returns undefined if it is older, or not readable
 */
export async function storedFailures(host: Host, maxAge: number): Promise<string[] | undefined> {
  const found = await statIfPresent(host, smokeFile);
  if (!found || !happenedWithin(maxAge, found.mtimeMs)) return undefined;
  const results = await storedResults.read(host);
  return results?.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
}

async function runTests(
  context: Context,
  tests: readonly SmokeTest[],
): Promise<readonly SmokeResult[]> {
  const { host, report } = context;
  const total = tests.length;
  const target = await serverTarget(context);
  return await host.outside.measure(() =>
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
}

function testFailed(result: SmokeResult): Text {
  return { en: `test failed: ${result.title}`, zh: `测试失败：${titleOf(result, 'zh')}` };
}

/** Returns why a failure is only a warning; undefined if it is an error. */
function excuseOf(result: SmokeResult, failedBefore: readonly string[]): Text | undefined {
  const { name, title, detail, lookAt, beyondServer, needsOthers } = result;
  const zh = titleOf(result, 'zh');
  if (beyondServer) {
    return {
      en: `test failed, the server may be too small for the model: ${title}: ${detail}. ${lookAt}`,
      zh: `测试失败，服务器对这个模型可能太小：${zh}：${detail}。${lookAt}`,
    };
  }
  if (needsOthers) {
    return {
      en: `test failed, another service may be at fault: ${title}: ${detail}`,
      zh: `测试失败，可能是外部服务的问题：${zh}：${detail}`,
    };
  }
  if (!failedBefore.includes(name)) return undefined;
  return {
    en: `test failed, as before the update: ${title}: ${detail}. ${lookAt}`,
    zh: `测试失败，与更新前相同：${zh}：${detail}。${lookAt}`,
  };
}

/** Returns the error for failed tests, with the cause and a hint for each. */
function smokeFailed(failed: readonly SmokeResult[]): LandfallError {
  return new LandfallError('SMOKE_FAILED', `${failed.length} smoke tests failed`, {
    hint: {
      en: 'Fix the problems above, then run: sudo landfall smoke. The other components are up.',
      zh: '解决上面的问题，然后运行：sudo landfall smoke。其他组件正常运行。',
    },
    problems: failed.map((result) => ({
      message: `${inLanguage(testFailed(result))}: ${result.detail}`,
      hint: inLanguage({ en: `see: ${result.lookAt}`, zh: `查看：${result.lookAt}` }),
    })),
  });
}
