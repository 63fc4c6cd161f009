import { distributionsVariable, everyDistribution, hostFilesFor } from './host/distributions.ts';
import { stayWithHost } from './host/stay.ts';
import { Afterwards, runOnSignals } from './setup/afterwards.ts';
import { leftOutBy } from './setup/packages/packages.ts';
import { agreeToPackages, openPreparation } from './setup/prepare.ts';
import { stay } from './setup/stay.ts';
import { fuzzVariable } from './simulator/fuzz.ts';
import { needsOf } from './suites/needs.ts';
import { type Job, stepsOf } from './suites/plans.ts';
import {
  isDistribution,
  jobsFor,
  readSelection,
  type Selection,
  usage,
} from './suites/selection.ts';
import type { SuiteName } from './suites/suites.ts';
import { announce, printResult } from './summary/announce.ts';
import { check } from './summary/checks.ts';
import { writeRecord } from './summary/record.ts';
import { type Project, runVitest } from './summary/run-vitest.ts';
import { noOutcome, type Outcome, total } from './summary/tally.ts';

/** What each suite is, for its heading. */
const headings: Readonly<Record<SuiteName, string>> = {
  unit: 'most files in shared processes',
  pty: 'commands of the builder on a pseudo-terminal',
  exhaustive: 'every interruption, thousands of bundles',
  integration: 'real registries, a real Docker, other Debian releases',
  real: 'the real Open WebUI, Ollama, browser and clients',
  clients: 'coding agents and other clients of the relay',
  host: 'whole servers, from user-data on',
  engines: 'a first server and its engine nodes',
  routes: 'real proxies and clients of proxies',
  upstream: 'images of your choice',
  vm: 'kernel, clock, disk and power',
};

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

/** Runs the selected suites, and writes a record of each. */
async function runAll(selection: Selection): Promise<Outcome[]> {
  const { distributions } = selection;
  const all = await jobsFor(selection);
  const jobs = withoutRoot(all, selection);
  const distributionsOf = ({ suite, files, distribution }: Job) => {
    if (distribution) return [distribution];
    if (distributions.length > 0) return distributions;
    if (suite !== 'host') return everyDistribution;
    return everyDistribution.filter((each) =>
      hostFilesFor(each).some((file) => files.includes(file)),
    );
  };
  const needsFor = (some: readonly Job[]) => [
    ...new Set(
      some
        .filter(({ suite }) => !isUnit(suite))
        .flatMap((job) => needsOf(job.files, distributionsOf(job))),
    ),
  ];
  const needs = needsFor(jobs);
  const outcomes: Outcome[] = [leftOut(all, jobs)];
  if (needs.length > 0) announce('prepare', 'real dependencies, cached after the first run');
  const packages = await agreeToPackages(needs);
  outcomes.push(leftOutBy(packages));
  const preparing = openPreparation(needs, afterwards, { packages });
  const provide = async (some: readonly Job[]) => await (await preparing)(needsFor(some));
  // Beside the unit tests; the large downloads of the real programs would slow these too much.
  const early = provide(jobs.filter(({ suite }) => !isUnit(suite) && !isLarge(suite)));
  if (selection.checks) {
    announce('checks', 'types by tsc, style by biome');
    outcomes.push(
      ...(await Promise.all([check('tsc', ['--noEmit']), check('biome', ['check', '.'])])),
    );
  }
  const variablesOf = async (job: Job): Promise<Record<string, string>> => {
    if (isUnit(job.suite)) return fuzzOf(selection);
    const named = job.distribution ? [job.distribution] : distributions;
    const variables = isLarge(job.suite) ? await provide([job]) : await early;
    return named.length > 0
      ? { ...variables, [distributionsVariable]: named.join(' ') }
      : variables;
  };
  const runJob = async (job: Job, isPatient: boolean) => {
    const variables = await variablesOf(job);
    const runs = projectsOf(job).map(([project, files]) =>
      runVitest(project, files, variables, afterwards, isPatient),
    );
    return total(await Promise.all(runs));
  };
  const { run } = selection;
  const part = 'plan' in run && run.shard ? `${run.shard.index}` : '';
  const runSuite = async (suite: SuiteName, isPatient: boolean) => {
    const own = jobs.filter((job) => job.suite === suite);
    // Compiling the real programs takes every processor.
    const large = isPatient ? jobs.filter((job) => isLarge(job.suite)) : [];
    await Promise.all(large.map(variablesOf));
    announce(suite, headings[suite]);
    const outcome = total(await Promise.all(own.map((job) => runJob(job, isPatient))));
    console.log(`  record: ${await writeRecord(suite, outcome, part)}`);
    return outcome;
  };
  const runLane = async (lane: readonly SuiteName[], isPatient: boolean) => {
    for (const suite of lane) outcomes.push(await runSuite(suite, isPatient && isUnit(suite)));
  };
  const suites = [...new Set(jobs.map((job) => job.suite))];
  const steps = 'plan' in run ? stepsOf(run.plan, suites) : suites.map((suite) => [[suite]]);
  for (const lanes of steps) {
    // Unit tests only compute: beside others, whose clients would time out, they take what is left.
    const isPatient = !lanes.flat().every(isUnit);
    await Promise.all(lanes.map((lane) => runLane(lane, isPatient)));
  }
  return outcomes;
}

/** Property tests have all of their inputs in every command but plain `npm test` and the gate. */
function fuzzOf({ run }: Selection): Record<string, string> {
  const isShort = 'plan' in run && run.plan !== 'full' && process.env[fuzzVariable] === undefined;
  return isShort ? { [fuzzVariable]: '0.2' } : {};
}

function isUnit(suite: SuiteName): boolean {
  return ['unit', 'pty', 'exhaustive'].includes(suite);
}

/** Returns whether a suite downloads gigabytes. */
function isLarge(suite: SuiteName): boolean {
  return suite === 'real' || suite === 'clients' || suite === 'routes';
}

/** Leaves the whole server out of plain `npm test` without root. */
function withoutRoot(jobs: readonly Job[], { run }: Selection): readonly Job[] {
  const isWhole = !('plan' in run) || run.plan !== 'default' || process.getuid?.() === 0;
  return isWhole ? jobs : jobs.filter(({ suite }) => isUnit(suite));
}

/** Returns the commands for what is left out, for the summary. */
function leftOut(all: readonly Job[], kept: readonly Job[]): Outcome {
  const left = all.filter(({ suite }) => !kept.some((job) => job.suite === suite));
  const command = ({ suite, files }: Job) => `sudo npm test -- --${suite} ${files.join(' ')}`;
  return { ...noOutcome, notes: left.map((job) => `left out without root: ${command(job)}`) };
}

/** Returns the projects of `vitest.config.ts` that run a job, at the same time, with their files. */
function projectsOf({ suite, files }: Job): [Project, readonly string[]][] {
  if (suite === 'unit') return [['unit*', files]];
  if (suite === 'host') return [['host-*', files]];
  if (suite !== 'integration') return [[suite, files]];
  // Containers of the stack have fixed names, so only one file at a time may use Docker.
  const usesDocker = (file: string) => needsOf([file], ['debian13']).includes('engine');
  const projects: [Project, readonly string[]][] = [
    ['docker', files.filter(usesDocker)],
    ['integration', files.filter((file) => !usesDocker(file))],
  ];
  return projects.filter(([, chosen]) => chosen.length > 0);
}
