import type { UserConsoleLog } from 'vitest';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const marks = { passed: 'ok', failed: 'FAILED', skipped: 'skipped', pending: 'skipped' } as const;
const secondsColumn = 92;

/** Prints test results for users: the behaviour, and the duration. */
export class DemoReporter implements Reporter {
  #topic = '';

  onUserConsoleLog({ content }: UserConsoleLog): void {
    process.stdout.write(content);
  }

  onTestCaseResult(test: TestCase): void {
    const { parent } = test;
    const topic = parent.type === 'suite' ? parent.fullName : '';
    if (topic !== this.#topic) console.log(`\n== ${topic.split(' > ').at(-1)}`);
    this.#topic = topic;
    const { state, errors = [] } = test.result();
    const seconds = `${((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1)} s`;
    const line = `  ${marks[state].padEnd(8)}${test.name}`;
    console.log(`${line.padEnd(secondsColumn - seconds.length)} ${seconds}`);
    for (const { message, stacks } of errors) {
      const [frame] = stacks ?? [];
      console.log(`          ${message.replaceAll('\n', '\n          ')}`);
      if (frame) console.log(`          at ${frame.file}:${frame.line}`);
    }
  }

  /** Errors outside of tests. */
  onTestRunEnd(modules: ReadonlyArray<TestModule>): void {
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    for (const { message } of suites.flatMap((suite) => suite.errors()))
      console.log(`\n${message}`);
  }
}
