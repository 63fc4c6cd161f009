import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BootstrapProcess } from './bootstrap-process.ts';
import { formatDifference, runInputs } from './run-inputs.ts';

/*
 * Compares the verdicts of the verifier and the bootstrap on the same bundles.
 *
 *   npm run fuzz -- --inputs 100000            with a random seed
 *   npm run fuzz -- --inputs 2000 --seed 1     like the tests
 */

const { values } = parseArgs({
  options: { inputs: { type: 'string', default: '20000' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const root = await mkdtemp(join(tmpdir(), 'landfall-fuzz-'));
const bootstrap = new BootstrapProcess(root);
try {
  const { differences, tally } = await runInputs(bootstrap, {
    seed,
    inputs: Number(values.inputs),
  });
  for (const [kind, count] of [...tally].sort()) console.log(`${count}\t${kind}`);
  for (const difference of differences) console.log(formatDifference(difference));
  console.log(`${differences.length} differences with seed ${seed}`);
  process.exitCode = differences.length > 0 ? 1 : 0;
} finally {
  await bootstrap.close();
  await rm(root, { recursive: true, force: true });
}
