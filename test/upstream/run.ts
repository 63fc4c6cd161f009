import { Afterwards, runOnSignals } from '../setup/afterwards.ts';
import { prepare } from '../setup/prepare.ts';
import { sayOnScreen } from '../setup/say.ts';
import { variableOf } from '../setup/variables.ts';
import { needsOf } from '../suites/needs.ts';
import { printResult } from '../summary/announce.ts';
import { demoReporterVariable, runVitest } from '../summary/run-vitest.ts';
import { noOutcome, type Outcome } from '../summary/tally.ts';
import { conflictsIn, removeStack, usersDocker } from './free-engine.ts';
import { givenImages } from './images.ts';
import { usage } from './usage.ts';

// `npm run test:upstream`: runs the stack with images of the user's choice.
const { images, problems } = givenImages(process.env);
const afterwards = new Afterwards();
runOnSignals(afterwards);

if (problems.length > 0 || Object.keys(images).length === 0) {
  console.error([...problems, ...(problems.length > 0 ? [''] : []), usage].join('\n'));
  process.exitCode = 2;
} else {
  printResult([await run().finally(() => afterwards.run())]);
}

async function run(): Promise<Outcome> {
  console.log('\n== prepare: Docker, and stand-ins for the other components');
  const given = usersDocker();
  const stack = 'test/upstream/upstream.test.ts';
  // testcontainers needs the default network of Docker, which the separate one does not have.
  const files = given.engine === undefined ? [stack] : ['test/upstream/registry.test.ts', stack];
  const variables = await prepare(needsOf(files, []), afterwards, { given });
  const engine = variables[variableOf('engine')];
  const found = engine ? await conflictsIn(engine) : [];
  if (found.length > 0) {
    const failures = [`failed: this Docker already has a stack: ${found.join(', ')}`];
    return { ...noOutcome, failed: 1, failures };
  }
  if (engine) afterwards.add(() => removeStack(engine));
  for (const [name, image] of Object.entries(images)) sayOnScreen(name, image);
  console.log('\n== the stack with these images; a first start takes minutes');
  const shown = { [demoReporterVariable]: 'yes' };
  return await runVitest('upstream', files, { ...variables, ...shown }, afterwards);
}
