import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Afterwards, runOnSignals } from '../setup/afterwards.ts';
import { prepare } from '../setup/prepare.ts';
import { needsOf } from '../suites.ts';
import { announce, printResult } from '../summary/announce.ts';
import { runVitest } from '../summary/run-vitest.ts';
import type { Outcome } from '../summary/tally.ts';

// `npm run test:real [word…]`: the chat as people use it, with the real Open WebUI, Ollama and
// browser.
const words = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const files = globSync('test/real/**/*.test.ts', { cwd: root })
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
  announce('prepare', 'the first run downloads 1 GB and builds for 10 minutes; later runs take 5');
  const variables = await prepare(needsOf(files, ['debian13']), afterwards);
  announce('real programs', 'Open WebUI, Ollama, Chromium, the relay');
  return await runVitest('real', files, variables, afterwards);
}
