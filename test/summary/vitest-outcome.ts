import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestModule } from 'vitest/node';
import '../integration/needs.ts';
import { type AllowedSkip, mayBeSkipped } from './allowed-skips.ts';
import { type Outcome, type Skip, slowestOf, type Timed } from './tally.ts';

/**
 * Counts vitest's results. Nothing is ignored: a test that is skipped without an allowed reason
 * counts as failed, and so do a file that cannot be loaded, a failed hook and an uncaught error.
 */
export function outcomeOf(
  modules: readonly TestModule[],
  uncaught: number,
  allowed?: readonly AllowedSkip[],
): Outcome {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed').length;
  const skipped = tests.filter((test) => test.result().state === 'skipped');
  const excused = skipped.filter((test) =>
    mayBeSkipped({ file: test.module.relativeModuleId, reason: reasonOf(test) }, allowed),
  ).length;
  const broken = modules.filter((module) => module.state() === 'failed' && !hasFailed(module));
  return {
    passed,
    failed: tests.length - passed - excused + broken.length + uncaught,
    skipped: excused,
    failures: modules.flatMap(failuresOf),
    skips: skipsOf(skipped),
    notes: [],
    slowest: slowestOf(tests.map(timed)),
    files: Object.fromEntries(
      modules.map((module) => [module.relativeModuleId, secondsOf(module)]),
    ),
  };
}

function timed(test: TestCase): Timed {
  const seconds = (test.diagnostic()?.duration ?? 0) / 1000;
  return { name: `${test.module.relativeModuleId} > ${test.fullName}`, seconds };
}

/** Returns one line for all failures, because the end of a long log is read first. */
function failuresOf(module: TestModule): string[] {
  const tests = [...module.children.allTests('failed')].map((test) =>
    noteOf(module, test.fullName, test.result().errors),
  );
  const suites = [...module.children.allSuites()].map((suite) =>
    noteOf(module, suite.fullName, suite.errors()),
  );
  return [...tests, ...suites, noteOf(module, 'the file', module.errors())].flat();
}

function noteOf(
  module: TestModule,
  name: string,
  errors: readonly { message: string }[] = [],
): string[] {
  const [error] = errors;
  if (!error) return [];
  const [why = ''] = stripVTControlCharacters(error.message).split('\n');
  return [`failed: ${module.relativeModuleId} > ${name}: ${why.slice(0, 500)}`];
}

function hasFailed(module: TestModule): boolean {
  return !module.children.allTests('failed').next().done;
}

/** Returns the skipped tests by suite and reason. */
function skipsOf(skipped: readonly TestCase[]): Skip[] {
  const skips = new Map<string, Skip>();
  for (const test of skipped) {
    const reason = reasonOf(test);
    const title = test.parent.type === 'suite' ? ` > ${test.parent.fullName}` : '';
    const suite = `${test.module.relativeModuleId}${title}`;
    const key = JSON.stringify([suite, reason]);
    const tests = (skips.get(key)?.tests ?? 0) + 1;
    skips.set(key, { suite, ...(reason !== undefined && { reason }), tests });
  }
  return [...skips.values()];
}

/** Returns the duration of a file with its hooks, in seconds. */
function secondsOf(module: TestModule): number {
  return Math.round(module.diagnostic().duration) / 1000;
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  return test.meta().unmet ?? (result.state === 'skipped' ? result.note : undefined);
}
