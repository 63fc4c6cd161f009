import { everyDistribution } from '../host/distributions.ts';
import { needsOf } from '../suites/needs.ts';
import { filesOf } from '../suites/suites.ts';
import type { Afterwards } from './afterwards.ts';
import { prepare } from './prepare.ts';

/**
 * Prepares the real dependencies and keeps them running until the program ends, for work on
 * integration tests: the printed lines configure `vitest` in another terminal.
 */
export async function stay(afterwards: Afterwards): Promise<void> {
  const variables = await prepare(needsOf(filesOf('integration'), everyDistribution), afterwards);
  for (const [name, value] of Object.entries(variables)) console.log(`export ${name}='${value}'`);
  console.log('# everything is ready; press Ctrl-C to stop');
  setInterval(() => undefined, 2 ** 30);
}
