import { afterAll, afterEach } from 'vitest';

type Step = () => void | Promise<void>;

const testSteps: Step[] = [];
const fileSteps: Step[] = [];

/** Runs a step once, after the current test, or after the file if no test follows. */
export function afterThisTest(step: Step): void {
  testSteps.push(step);
}

/** Runs a step once, after the last test of the current file. */
export function afterThisFile(step: Step): void {
  fileSteps.push(step);
}

/**
 * Registers the hooks that run the steps, for the current test file. A helper must not register
 * hooks itself: it is evaluated once per process, so its hooks would run in one file only.
 */
export function registerCleanup(): void {
  afterEach(() => runAll(testSteps));
  afterAll(async () => {
    await runAll(testSteps).finally(() => runAll(fileSteps));
  });
}

// For test files in a process of their own. The setup file does it for shared processes.
registerCleanup();

/** Runs every step, and then throws the first error. */
async function runAll(steps: Step[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps.splice(0)) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
