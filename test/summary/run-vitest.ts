import { startVitest } from 'vitest/node';
import type { Outcome } from './tally.ts';
import { outcomeOf } from './vitest-outcome.ts';

/** Runs one project of `vitest.config.ts`, with these variables in the environment of its tests. */
export async function runVitest(
  project: 'unit' | 'integration',
  files: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const vitest = await startVitest([...files], { run: true, watch: false, project, env });
  try {
    const { state } = vitest;
    return outcomeOf(state.getTestModules(), state.getUnhandledErrors().length);
  } finally {
    await vitest.close();
  }
}
