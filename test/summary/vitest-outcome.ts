import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestModule } from 'vitest/node';
import '../integration/needs.ts';
import { type Outcome, slowestOf, type Timed } from './tally.ts';

/**
 * Counts vitest's results. Nothing is ignored: a test that is skipped without a reason counts as
 * failed, and so do a file that cannot be loaded, a failed hook and an uncaught error.
 */
export function outcomeOf(modules: readonly TestModule[], uncaught: number): Outcome {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const passed = tests.filter((test) => test.result().state === 'passed').length;
  const skipped = tests.filter((test) => test.result().state === 'skipped');
  const excused = skipped.filter(reasonOf).length;
  const broken = modules.filter((module) => module.state() === 'failed' && !hasFailed(module));
  return {
    passed,
    failed: tests.length - passed - excused + broken.length + uncaught,
    skipped: excused,
    notes: [...notesOf(skipped), ...modules.flatMap(failuresOf)],
    slowest: slowestOf(tests.map(timed)),
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

/** Returns one line per suite and reason, with the number of its tests. */
function notesOf(skipped: readonly TestCase[]): string[] {
  const counts = new Map<string, number>();
  for (const test of skipped) {
    const reason = reasonOf(test) ?? 'without a reason, which counts as failed';
    const suite = test.parent.type === 'suite' ? ` > ${test.parent.fullName}` : '';
    const note = `skipped: ${test.module.relativeModuleId}${suite}: ${reason}`;
    counts.set(note, (counts.get(note) ?? 0) + 1);
  }
  return [...counts].map(
    ([note, count]) => `${note} (${count === 1 ? '1 test' : `${count} tests`})`,
  );
}

function reasonOf(test: TestCase): string | undefined {
  const result = test.result();
  return test.meta().unmet ?? (result.state === 'skipped' ? result.note : undefined);
}
