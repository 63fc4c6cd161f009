import { distributionsVariable } from './host/distributions.ts';
import { stayWithHost } from './host/stay.ts';
import { isDistribution, readSelection, type Selection, usage } from './selection.ts';
import { Afterwards, runOnSignals } from './setup/afterwards.ts';
import { prepare } from './setup/prepare.ts';
import { sayOnScreen } from './setup/say.ts';
import { stay } from './setup/stay.ts';
import { check } from './summary/checks.ts';
import { runVitest } from './summary/run-vitest.ts';
import { closingLine, type Outcome, total } from './summary/tally.ts';

const args = process.argv.slice(2);
const selection = readSelection(args);
const afterwards = new Afterwards();
runOnSignals(afterwards);

if (args.length === 1 && args[0] === '--stay') {
  await stay(afterwards);
} else if (args[0] === '--host' && args[1] === '--stay') {
  const [distribution = 'debian13'] = args.slice(2).filter(isDistribution);
  await stayWithHost(distribution, afterwards);
} else if (selection) {
  const outcome = total(await runAll(selection).finally(() => afterwards.run()));
  console.log(`\n${[...outcome.notes, closingLine(outcome)].join('\n')}`);
  process.exitCode = outcome.failed > 0 ? 1 : 0;
} else {
  console.error(usage);
  process.exitCode = 2;
}

/** The whole of `npm test`, from top to bottom. */
async function runAll(selection: Selection): Promise<Outcome[]> {
  const { checks, unit, integration, host, files, distributions } = selection;
  const outcomes: Outcome[] = [];
  let variables: Record<string, string> = {};
  if (integration || host) {
    announce('prepare', 'what tests with real parts run against');
    variables = await prepare(sayOnScreen, afterwards);
  }
  if (checks) {
    announce('type check', 'tsc');
    outcomes.push(await check('tsc', ['--noEmit']));
    announce('lint', 'biome');
    outcomes.push(await check('biome', ['check', '.']));
  }
  if (unit) {
    announce('unit tests', 'every part by itself');
    outcomes.push(await runVitest('unit', files, {}, afterwards));
  }
  if (integration) {
    announce('integration tests', 'real registries, a real engine, other Debian releases');
    outcomes.push(await runVitest('integration', files, variables, afterwards));
  }
  if (host) {
    announce('host tests', 'whole servers, from user-data on');
    if (distributions.length > 0) variables[distributionsVariable] = distributions.join(' ');
    outcomes.push(await runVitest('host', files, variables, afterwards));
  }
  return outcomes;
}

function announce(step: string, what: string): void {
  console.log(`\n== ${step}: ${what}`);
}
