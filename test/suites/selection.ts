import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type HostDistribution, hostSuites } from '../setup/debian/host-image.ts';
import { affectedBy, changedSince } from './affected.ts';
import { type Job, jobsOf, type PlanName, type Shard, shardOf } from './plans.ts';
import { filesOf, type SuiteName, suiteNamed, suiteNames } from './suites.ts';

/** Selection of one call of `npm test`. */
export interface Selection {
  /** Whether the type check and lint run. */
  readonly checks: boolean;
  readonly run:
    | { readonly plan: PlanName; readonly shard?: Shard }
    | { readonly affectedSince: string }
    | { readonly suites: readonly SuiteName[]; readonly words: readonly string[] };
  /** The distributions to test; empty means the default of each file. */
  readonly distributions: readonly HostDistribution[];
}

export const usage = `npm test                         checks, unit tests, the page in Chromium, and one whole server from its user-data
npm test -- --gate               what each landing must pass: .ci/run
npm test -- --affected [commit]  unit tests, and the suites of the paths that differ from a commit
npm test -- --full [--shard 1/4] everything that needs no virtual machine
npm test -- --checks             type check and lint
npm test -- --unit [file...]     one suite, or files of it: also --pty, --exhaustive,
                                 --integration, --host, --real, --clients, --engines, --routes
npm test -- --host debian12 [file...]  on one distribution: debian12, debian13,
                                 ubuntu-like or resolute-like
npm test -- test/path...         these files, in the suite that contains them
npm test -- --stay               prepare the real dependencies, print them, wait for Ctrl-C
npm test -- --host --stay debian13    boot a fresh server, show its console, wait for Ctrl-C`;

/** Suites that `npm test` runs by name. Others need more preparation (`suites.ts`). */
const named = suiteNames.filter((name) => suiteNamed(name).command === undefined);

/** Parses the arguments; returns undefined if one is unknown. */
export function readSelection(args: readonly string[]): Selection | undefined {
  const parsed = parse(args);
  if (parsed === undefined) return undefined;
  const { values, positionals } = parsed;
  const suites = named.filter((name) => values[name]);
  const modes = (['gate', 'full', 'affected'] as const).filter((mode) => values[mode]);
  const shard = values.shard === undefined ? undefined : readShard(values.shard);
  const words = positionals.filter((word) => !isDistribution(word));
  const distributions = positionals.filter(isDistribution);
  if (modes.length > 1 || (modes.length === 1 && (suites.length > 0 || values.checks))) {
    return undefined;
  }
  if (values.shard !== undefined && (shard === undefined || modes[0] !== 'full')) return undefined;
  const [mode] = modes;
  if (mode === 'affected') {
    const [base = 'origin/main', ...more] = words;
    if (more.length > 0) return undefined;
    return { checks: true, run: { affectedSince: base }, distributions };
  }
  if (mode !== undefined) {
    if (words.length > 0) return undefined;
    const checks = shard === undefined || shard.index === 1;
    return { checks, run: { plan: mode, ...(shard && { shard }) }, distributions };
  }
  if (suites.length > 0 || values.checks) {
    if (suites.length === 0 && positionals.length > 0) return undefined;
    return { checks: values.checks === true, run: { suites, words }, distributions };
  }
  if (positionals.length === 0) {
    return { checks: true, run: { plan: 'default' }, distributions: ['debian13'] };
  }
  const found = named.filter((name) => words.some((word) => isIn(name, word)));
  if (found.length === 0 || !words.every((word) => found.some((name) => isIn(name, word)))) {
    return undefined;
  }
  return { checks: false, run: { suites: found, words }, distributions };
}

function parse(args: readonly string[]) {
  const flag = { type: 'boolean' } as const;
  const names = ['checks', 'gate', 'full', 'affected', ...named] as const;
  const flags = Object.fromEntries(names.map((name) => [name, flag])) as Record<
    (typeof names)[number],
    typeof flag
  >;
  try {
    const options = { ...flags, shard: { type: 'string' } as const };
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    return undefined;
  }
}

function readShard(text: string): Shard | undefined {
  const [, index = 0, count = 0] = (/^([1-9]\d?)\/([1-9]\d?)$/.exec(text) ?? []).map(Number);
  return index > 0 && index <= count ? { index, count } : undefined;
}

/** Returns whether a word is a path of files of a suite. */
function isIn(suite: SuiteName, word: string): boolean {
  return word.startsWith('test/') && filesOf(suite, [word]).length > 0;
}

/** Returns whether a word names a distribution that can be booted. */
export function isDistribution(word: string): word is HostDistribution {
  return Object.hasOwn(hostSuites, word);
}

/**
 * Returns the jobs of a selection.
 * @throws Error when a word matches no file, or when a commit does not exist
 */
export async function jobsFor({ run }: Selection): Promise<readonly Job[]> {
  if ('plan' in run) {
    const jobs = jobsOf(run.plan);
    return run.shard ? shardOf(jobs, run.shard) : jobs;
  }
  if ('affectedSince' in run) {
    const changed = await changedSince(run.affectedSince, join(import.meta.dirname, '../..'));
    const { topics, jobs } = affectedBy(changed);
    console.log(`changed files: ${changed.length}; topics: ${topics.join(', ') || 'none'}`);
    for (const { suite, files } of jobs) console.log(`  ${suite}: ${files.length} files`);
    return jobs;
  }
  const jobs = run.suites.map((suite) => ({ suite, files: filesOf(suite, run.words) }));
  const found = jobs.filter(({ files }) => files.length > 0);
  if (found.length === 0 && run.suites.length > 0) {
    throw new Error(`no such test: ${run.words.join(', ')}`);
  }
  return found;
}
