import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Afterwards, runOnSignals } from '../setup/afterwards.ts';
import { prepare } from '../setup/prepare.ts';
import { needsOf } from '../suites.ts';
import { printResult } from '../summary/announce.ts';
import { runVitest } from '../summary/run-vitest.ts';
import type { Outcome } from '../summary/tally.ts';

// `npm run test:routes [word…]`: real proxies and clients of proxies. Not part of `npm test`,
// because it installs large programs.
const words = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const files = globSync('test/routes/**/*.test.ts', { cwd: root })
  .sort()
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)));
const afterwards = new Afterwards();
runOnSignals(afterwards);

if (files.length === 0) {
  console.error(`no such test: ${words.join(', ')}`);
  process.exitCode = 2;
} else {
  printResult([await run().finally(() => afterwards.run())]);
}

async function run(): Promise<Outcome> {
  const variables = await prepare(needsOf(files, ['debian13']), afterwards);
  return await runVitest('routes', files, variables, afterwards);
}
