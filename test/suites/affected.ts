import { execa } from 'execa';
import type { Job } from './plans.ts';
import { filesOf, type SuiteName, suiteNamed, suiteNames, suitesWith } from './suites.ts';

/** Suites that a topic needs when its paths change; the words are substrings of their files. */
interface Topic {
  /** Folders or files, from the root of the project. */
  readonly paths: readonly string[];
  readonly runs: Readonly<Partial<Record<SuiteName, 'all' | readonly string[]>>>;
}

/** What `npm test -- --affected` adds to the unit tests, by changed path. */
export const topics: Readonly<Record<string, Topic>> = {
  relay: {
    paths: ['appliance/relay', 'compose/relay'],
    runs: { integration: ['relay/'], real: ['sdk/', 'model/'] },
  },
  transactions: {
    paths: [
      'appliance/operations/backup',
      'appliance/server/chats',
      'appliance/operations/driver',
      'appliance/operations/transactions',
      'appliance/operations/update',
    ],
    runs: { exhaustive: 'all', real: ['update/'], host: ['updates/', 'backup/', 'commands/site'] },
  },
  engines: {
    paths: ['appliance/nodes/balancer', 'appliance/nodes/swarm'],
    runs: { integration: ['balancer/'], engines: 'all' },
  },
  certificates: {
    paths: ['appliance/server/certificates', 'appliance/stages/tls'],
    runs: { integration: ['acme/'], real: ['acme/'] },
  },
  network: {
    paths: [
      'appliance/stages/firewall',
      'appliance/stages/route',
      'appliance/shared/proxies',
      'appliance/shared/probe',
    ],
    runs: {
      integration: ['firewall/', 'probe/', 'route/', 'tinyproxy'],
      host: ['firewall/', 'stages/dns', 'stages/route'],
    },
  },
  access: {
    paths: [
      'appliance/stages/ban',
      'appliance/server/host/undo',
      'appliance/stages/ssh',
      'appliance/stages/users',
    ],
    runs: {
      integration: ['ban/'],
      host: ['ban/', 'ssh/', 'boot/finished', 'firewall/firewall-changes'],
    },
  },
  'first boot': {
    paths: [
      ...[
        'appliance/bootstrap',
        'appliance/stages/first-boot.ts',
        'appliance/stages/images',
        'appliance/stages/kernel',
      ],
      ...['appliance/stages/preflight', 'appliance/stages/runtime', 'appliance/server/stage'],
    ],
    runs: {
      exhaustive: ['bootstrap/'],
      integration: ['bootstrap/'],
      host: ['boot/', 'interrupted/', 'stages/'],
    },
  },
  stack: {
    paths: ['appliance/stages/stack', 'compose'],
    runs: { integration: ['stack/', 'gateway/'], real: ['chat'], host: ['whole-stack/'] },
  },
  delivery: {
    paths: ['builder/deliver/install', 'builder/deliver/ssh'],
    runs: { host: ['delivery/'] },
  },
  page: {
    paths: ['builder/page', 'builder/deliver/user-data', 'builder/deliver/explain'],
    runs: { integration: ['configurator/'] },
  },
  bundles: {
    paths: [
      ...['appliance/shared/contract/bundle', 'appliance/shared/contract/trust'],
      ...[
        'builder/bundle/assemble',
        'builder/inputs/blobs',
        'builder/bundle/archive',
        'builder/inputs/registry',
        'builder/bundle/sign',
      ],
    ],
    runs: { integration: ['builder/', 'release/'], exhaustive: ['differential'] },
  },
};

/**
 * Returns the paths that differ from a commit, including uncommitted and new files.
 * @throws ExecaError when the commit does not exist
 */
export async function changedSince(base: string, cwd: string): Promise<string[]> {
  const git = async (...args: string[]) => (await execa('git', args, { cwd })).stdout;
  const start = await git('merge-base', base, 'HEAD');
  const outputs = [
    await git('diff', '--name-only', start),
    await git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(outputs.flatMap((output) => output.split('\n')).filter(Boolean))];
}

/** Folders of the product and of its tests that are one topic, and what else they test. */
const topicPattern = /^test\/((?:appliance|builder)\/(?:[a-z-]+\/)?[a-z-]+|[^/]+)\//;
const tested: Readonly<Record<string, string>> = {
  differential: 'appliance/bootstrap',
  specification: 'appliance/shared/contract',
  workflows: '.github',
};

/** Returns whether a test file has the topic of a changed path: a slow test runs when its topic changes. */
function isBeside(file: string, changed: readonly string[]): boolean {
  const [, folder = ''] = topicPattern.exec(file) ?? [];
  const folders = [folder, `test/${folder}`, tested[folder] ?? folder];
  return changed.some((path) => folders.some((each) => path.startsWith(`${each}/`)));
}

/** Returns the topics of changed paths, and the jobs that they need: all unit tests first. */
export function affectedBy(changed: readonly string[]): { topics: string[]; jobs: Job[] } {
  const touched = Object.entries(topics).filter(([, { paths }]) =>
    changed.some((path) => paths.some((each) => path === each || path.startsWith(`${each}/`))),
  );
  const files = new Map<SuiteName, Set<string>>([['unit', new Set(filesOf('unit'))]]);
  const add = (suite: SuiteName, more: readonly string[]) =>
    files.set(suite, new Set([...(files.get(suite) ?? []), ...more]));
  for (const [, { runs }] of touched) {
    for (const suite of suiteNames) {
      const chosen = runs[suite];
      if (chosen) add(suite, filesOf(suite, chosen === 'all' ? [] : chosen));
    }
  }
  add(
    'exhaustive',
    filesOf('exhaustive').filter((file) => isBeside(file, changed)),
  );
  for (const path of changed) for (const suite of suitesWith(path)) add(suite, [path]);
  const runnable = suiteNames.filter((suite) => suiteNamed(suite).command === undefined);
  return {
    topics: touched.map(([name]) => name),
    // Others have a command that prepares more than their files.
    jobs: runnable.flatMap((suite) => {
      const chosen = [...(files.get(suite) ?? [])].sort();
      return chosen.length > 0 ? [{ suite, files: chosen }] : [];
    }),
  };
}
