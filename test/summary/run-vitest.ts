import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Afterwards } from '../setup/afterwards.ts';
import { noOutcome, type Outcome } from './tally.ts';

/** The projects of `vitest.config.ts`. */
export type Project =
  | 'unit*'
  | 'pty'
  | 'exhaustive'
  | 'integration'
  | 'docker'
  | 'host-*'
  | 'host-debian13'
  | 'vm'
  | 'upstream'
  | 'routes'
  | 'real'
  | 'clients'
  | 'engines';

/** Environment variable: test results are printed for users. */
export const demoReporterVariable = 'LANDFALL_TEST_DEMO_REPORTER';

const program = fileURLToPath(new URL('./vitest-process.ts', import.meta.url));

/**
 * Runs one project of `vitest.config.ts`, with these variables in the environment of its tests, in
 * a separate process: vitest ends its process on signals and stray errors, and this one must stop
 * daemons first.
 * @param isPatient whether the other programs of this machine come first, as `nice` says
 */
export async function runVitest(
  project: Project,
  files: readonly string[],
  variables: Record<string, string>,
  afterwards: Afterwards,
  isPatient = false,
): Promise<Outcome> {
  const child = fork(program, [project, ...files], { env: { ...process.env, ...variables } });
  if (isPatient && child.pid !== undefined) setPriority(child.pid, 10);
  const end = once(child, 'exit');
  afterwards.add(async () => {
    child.kill();
    await end;
  });
  let outcome: Outcome | undefined;
  child.once('message', (message: Outcome) => {
    outcome = message;
  });
  await end;
  return outcome ?? brokenOff(project);
}

function brokenOff(project: string): Outcome {
  const failures = [`failed: vitest ended without a result of the ${project} tests`];
  return { ...noOutcome, failed: 1, failures };
}
