import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Afterwards, runOnSignals } from './setup/afterwards.ts';
import { prepare } from './setup/prepare.ts';
import { needsOf } from './suites.ts';
import { printResult } from './summary/announce.ts';
import { runVitest } from './summary/run-vitest.ts';

/**
 * Runs the test files of a folder with a command of its own, and exits with their result.
 * @param project the folder in `test/`, which is also a project of `vitest.config.ts`
 */
export async function runFolder(project: 'real' | 'routes' | 'engines'): Promise<void> {
  const words = process.argv.slice(2);
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = globSync(`test/${project}/**/*.test.ts`, { cwd: root })
    .sort()
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
  if (files.length === 0) {
    console.error(`no such test: ${words.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const afterwards = new Afterwards();
  runOnSignals(afterwards);
  const run = async () => {
    const variables = await prepare(needsOf(files, ['debian13']), afterwards);
    return await runVitest(project, files, variables, afterwards);
  };
  printResult([await run().finally(() => afterwards.run())]);
}
