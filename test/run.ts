import { distributionsVariable, everyDistribution } from './host/distributions.ts';
import { stayWithHost } from './host/stay.ts';
import { isDistribution, readSelection, type Selection, usage } from './selection.ts';
import { Afterwards, runOnSignals } from './setup/afterwards.ts';
import { leftOutBy } from './setup/packages/packages.ts';
import { agreeToPackages, prepare } from './setup/prepare.ts';
import { stay } from './setup/stay.ts';
import { essentialVariable, filesOf, needsOf } from './suites.ts';
import { announce, printResult } from './summary/announce.ts';
import { check } from './summary/checks.ts';
import { type Project, runVitest } from './summary/run-vitest.ts';
import type { Outcome } from './summary/tally.ts';

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
  printResult(await runAll(selection).finally(() => afterwards.run()));
} else {
  console.error(usage);
  process.exitCode = 2;
}

/** Runs the complete `npm test`. */
async function runAll(selection: Selection): Promise<Outcome[]> {
  const { checks, unit, files, words, distributions } = selection;
  const chosen = { all: files === 'all', words };
  const integration = selection.integration ? filesOf('integration', chosen) : [];
  const host = selection.host ? filesOf('host', chosen) : [];
  const needs = needsOf(
    [...integration, ...host],
    distributions.length > 0 ? distributions : everyDistribution,
  );
  const outcomes: Outcome[] = [];
  if (needs.length > 0) announce('prepare', 'real dependencies, cached after the first run');
  const packages = await agreeToPackages(needs);
  outcomes.push(leftOutBy(packages));
  const preparing = prepare(needs, afterwards, { packages });
  if (checks) {
    announce('type check', 'tsc');
    outcomes.push(await check('tsc', ['--noEmit']));
    announce('lint', 'biome');
    outcomes.push(await check('biome', ['check', '.']));
  }
  if (unit) {
    announce('unit tests', 'most files in shared processes');
    const only = files === 'essential' ? { [essentialVariable]: '1' } : {};
    outcomes.push(await runVitest('unit*', words, only, afterwards));
  }
  const named =
    distributions.length > 0 ? { [distributionsVariable]: distributions.join(' ') } : {};
  const variables = { ...(await preparing), ...named };
  const run = (project: Project, paths: readonly string[]) =>
    paths.length > 0 ? [runVitest(project, paths, variables, afterwards)] : [];
  if (integration.length > 0) {
    announce('integration tests', 'real registries, a real Docker, other Debian releases');
    const needsDocker = (file: string) => needsOf([file], ['debian13']).includes('engine');
    const [docker, others] = partition(integration, needsDocker);
    outcomes.push(
      ...(await Promise.all([...run('docker', docker), ...run('integration', others)])),
    );
  }
  if (host.length > 0) {
    // After the integration tests of the Docker that servers also run in, because these list every
    // container.
    announce('host tests', 'complete servers, from user-data on');
    outcomes.push(...(await Promise.all(run('host-*', host))));
  }
  return outcomes;
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
