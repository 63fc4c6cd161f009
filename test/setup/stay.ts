import { everyDistribution } from '../host/distributions.ts';
import { filesOf, needsOf } from '../suites.ts';
import type { Afterwards } from './afterwards.ts';
import { prepare } from './prepare.ts';

/**
 * Prepares the real parts and keeps them until somebody ends the program, for work on integration
 * tests: the lines it prints make `vitest` find them from another terminal.
 */
export async function stay(afterwards: Afterwards): Promise<void> {
  const variables = await prepare(
    needsOf(filesOf('integration', { all: true, words: [] }), everyDistribution),
    afterwards,
  );
  for (const [name, value] of Object.entries(variables)) console.log(`export ${name}='${value}'`);
  console.log('# everything is ready; Ctrl-C ends it');
  setInterval(() => undefined, 2 ** 30);
}
