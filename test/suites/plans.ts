import type { HostDistribution } from '../setup/debian/host-image.ts';
import { filesOf, type SuiteName } from './suites.ts';

/** Files of one suite that run together. */
export interface Job {
  readonly suite: SuiteName;
  readonly files: readonly string[];
  /** The only distribution of its servers; by default those of the command line, or of each file. */
  readonly distribution?: HostDistribution;
}

/** Files whose path ends with these words. */
type Words = readonly string[];

/**
 * What one command runs, in this order: whole suites, or some files. Whole servers may be listed by
 * distribution.
 */
type Plan = Readonly<
  Partial<Record<SuiteName, 'all' | Words | Readonly<Partial<Record<HostDistribution, Words>>>>>
>;

/** The product's main job: one whole server, from its user-data. */
const firstBoot = ['boot/first-boot'];

/** The page in Chromium: its bytes and its verdicts are those of Node. */
const configurator = ['configurator/hostile', 'configurator/user-data'];

export const plans = {
  /** `npm test`: each change. */
  default: { unit: 'all', integration: configurator, host: firstBoot },
  /** Each landing, at most 30 minutes. */
  gate: {
    real: ['real/chat'],
    unit: 'all',
    pty: 'all',
    // What an attacker changes in a bundle is tried at each landing.
    exhaustive: ['bundle/tampering', 'bootstrap/hostile'],
    integration: [
      'balancer/balancing',
      'ban/filters',
      'bootstrap/bootstrap-lint',
      'bootstrap/cloud-init',
      'builder/cross-verify',
      'builder/full-build',
      ...configurator,
      'firewall/packets',
      'firewall/ruleset',
      'gateway/gateway',
      'relay/relay-image',
      'stack/stack-files',
    ],
    host: {
      // `npm test` boots Debian 13, as the other files here do.
      debian12: firstBoot,
      // The longest first.
      debian13: [
        'updates/installed',
        'commands/site',
        'backup/restore',
        'whole-stack/whole-stack',
        'ssh/users-ssh',
        'delivery/install',
      ],
    },
  },
  /** `--full`: nightly, and before a release. Needs no virtual machine. */
  full: {
    unit: 'all',
    pty: 'all',
    exhaustive: 'all',
    integration: 'all',
    host: 'all',
    engines: 'all',
    real: 'all',
  },
} as const satisfies Readonly<Record<string, Plan>>;

export type PlanName = keyof typeof plans;

/**
 * Suites that run at the same time, because each alone leaves a processor idle at times; those of one lane run
 * one after the other. The other suites of the plan follow, one by one.
 */
const lanes: Readonly<Record<PlanName, readonly (readonly SuiteName[])[]>> = {
  default: [['unit'], ['host'], ['integration']],
  // `real` and `integration` share a Docker, where containers of the stack have fixed names.
  gate: [['real', 'integration'], ['unit'], ['pty'], ['exhaustive']],
  full: [['unit'], ['pty']],
};

/** Returns the steps of a plan for some of its suites, each with its lanes. */
export function stepsOf(name: PlanName, suites: readonly SuiteName[]): SuiteName[][][] {
  const first = lanes[name].map((lane) => lane.filter((suite) => suites.includes(suite)));
  const alone = suites.filter((suite) => !lanes[name].flat().includes(suite));
  return [first.filter(({ length }) => length > 0), ...alone.map((suite) => [[suite]])];
}

/**
 * Returns the jobs of a plan.
 * @throws Error when a file of the plan does not exist
 */
export function jobsOf(name: PlanName): Job[] {
  const plan: Plan = plans[name];
  return Object.entries(plan).flatMap(([key, chosen]): Job[] => {
    const suite = key as SuiteName;
    if (chosen === 'all') return [{ suite, files: filesOf(suite) }];
    if (Array.isArray(chosen)) return [{ suite, files: filesNamed(suite, chosen) }];
    return Object.entries(chosen).map(([distribution, words]) => {
      const files = filesNamed(suite, words);
      return { suite, files, distribution: distribution as HostDistribution };
    });
  });
}

function filesNamed(suite: SuiteName, words: Words): string[] {
  return words.flatMap((word) => {
    const files = filesOf(suite, [`${word}.test.ts`]);
    if (files.length === 0) throw new Error(`no such test file: ${word}`);
    return files;
  });
}

/** Part of a plan that runs on one of several machines: the `index`th of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * Returns the part of jobs that a shard runs. Unit tests share processes, so they stay together in
 * the first shard; other files are dealt out in turn.
 */
export function shardOf(jobs: readonly Job[], { index, count }: Shard): Job[] {
  let turn = 0;
  return jobs
    .map((job) => {
      const { suite, files } = job;
      if (suite === 'unit') return { suite, files: index === 1 ? files : [] };
      return { ...job, files: files.filter(() => turn++ % count === index - 1) };
    })
    .filter(({ files }) => files.length > 0);
}
