import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { demoVariable } from './host/whole-stack/stay.ts';
import { Afterwards, runOnSignals } from './setup/afterwards.ts';
import { prepare } from './setup/prepare.ts';
import { runFolder } from './setup/workspace.ts';
import { needsOf } from './suites.ts';
import { printResult } from './summary/announce.ts';
import { demoReporterVariable, runVitest } from './summary/run-vitest.ts';
import type { Outcome } from './summary/tally.ts';

/*
 * npm run demo              tests the whole stack on a fresh server
 * npm run demo -- --stay    also keeps the server running until Ctrl-C
 */

const files = ['test/host/whole-stack/whole-stack.test.ts'];
const [flag, ...rest] = process.argv.slice(2);
const afterwards = new Afterwards();
runOnSignals(afterwards);

if (rest.length > 0 || (flag !== undefined && flag !== '--stay')) {
  console.error('npm run demo accepts no arguments except -- --stay');
  process.exitCode = 2;
} else {
  printResult([await demonstrate(flag ? 'stay' : 'show').finally(() => afterwards.run())]);
}

/** The tests of the whole stack, shown as the behaviour that they prove. */
async function demonstrate(how: 'show' | 'stay'): Promise<Outcome> {
  console.log(
    'Ollama, the chat UI and the front-ends are stand-ins; nginx, Docker and Debian are real.',
  );
  console.log('\n== prepare: real dependencies, most of them cached after the first run');
  const variables = await prepare(needsOf(files, ['debian13']), afterwards);
  console.log('\n== the whole stack on a fresh server; this takes several minutes');
  // A run with --stay ends on a signal; this folder must still be removed.
  const temporary = join(runFolder(), 'tmp');
  await mkdir(temporary);
  const shown = { [demoVariable]: how, [demoReporterVariable]: 'yes', TMPDIR: temporary };
  return await runVitest('host-debian13', files, { ...variables, ...shown }, afterwards);
}
