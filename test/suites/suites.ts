import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How the test files of a suite run. */
export interface Suite {
  /** Globs of its files, from the root of the project. */
  readonly files: readonly string[];
  /** Globs of files below `files` that belong to another suite. */
  readonly except?: readonly string[];
  /** `true` or the number of files that run at the same time; `false`: one after the other. */
  readonly parallel: boolean | number;
  /** Maximum duration of a test, in seconds. */
  readonly limit: number;
  /** Maximum duration of a hook, in seconds; `limit` by default. */
  readonly hookLimit?: number;
  /** What it needs beyond Node and npm. */
  readonly needs: string;
  /** The command that prepares more than its files; by default `npm test -- --<suite>`. */
  readonly command?: string;
}

/**
 * Unit tests that take long: every interruption, thousands of bundles, every byte changed; real processes and
 * real waits of ten seconds and more.
 */
const exhaustive = [
  'test/appliance/bootstrap/{hostile,interruption,network,parts,sources}.test.ts',
  'test/appliance/server/host/run/command.test.ts',
  'test/appliance/server/progress/terminal/watch.test.ts',
  'test/appliance/relay/{limits,budget/thousand-requests,node/main,node/usage/usage-files}.test.ts',
  'test/appliance/shared/contract/bundle/tampering.test.ts',
  'test/appliance/shared/{cli/completion,explain/site-notes,platform/page-program}.test.ts',
  'test/appliance/shared/proxies/{bounds,corpus/corpus,round-trip}.test.ts',
  'test/appliance/stages/ssh/login-proof.test.ts',
  'test/appliance/stages/tls/ensure-certificate.test.ts',
  'test/appliance/operations/driver/{changed-site,interrupted-restore,interrupted-update}.test.ts',
  'test/appliance/operations/driver/{many-faults,outage}.test.ts',
  'test/builder/publish/action/failures.test.ts',
  'test/builder/inputs/{blobs/faults,blobs/resume,sources/archive-source,sources/open-source}.test.ts',
  'test/builder/{bundle/archive/program,deliver/explain/any-site,deliver/install/changed-site}.test.ts',
  'test/builder/deliver/hosting/{serve/start-server,upload/s3/bucket-folder}.test.ts',
  'test/builder/publish/release/upload-draft.test.ts',
  'test/differential/differential.test.ts',
  'test/specification/any-site.test.ts',
  'test/workflows/{channel-workflow,release-scripts}.test.ts',
];

/** Commands of the builder on a pseudo-terminal. */
const pty = ['test/{pty,builder/pty}/**/*.test.ts'];

/** Every suite. A test file belongs to exactly one; `test/structure/suites.test.ts` verifies it. */
export const suites = {
  unit: {
    files: [
      'test/{acceptance,appliance,builder,differential,documents,faulty-server}/**/*.test.ts',
      'test/{golden,images,renovate,setup,simulator,specification}/**/*.test.ts',
      'test/{stand-ins,structure,suites,summary,workflows}/**/*.test.ts',
      'test/{upstream/images,vm/*/*}.test.ts',
    ],
    except: [...exhaustive, ...pty],
    parallel: true,
    // Long enough for a busy machine; a hanging test still ends.
    limit: 120,
    needs: '',
  },
  pty: { files: pty, parallel: true, limit: 120, needs: '' },
  exhaustive: { files: exhaustive, parallel: true, limit: 600, needs: '' },
  integration: {
    files: ['test/integration/**/*.test.ts'],
    parallel: true,
    limit: 900,
    // Only the files of acme/ need go.
    needs: 'root, go',
  },
  host: {
    files: ['test/host/**/*.test.ts'],
    // Tests of whole servers mostly wait. Each server has a separate network.
    parallel: 3,
    limit: 1800,
    // Only whole-stack/ needs go.
    needs: 'root, go',
  },
  real: {
    files: ['test/real/**/*.test.ts'],
    except: ['test/real/clients/**/*.test.ts'],
    // The files share one Docker, and containers of the stack have fixed names.
    parallel: false,
    limit: 180,
    hookLimit: 600,
    needs: 'root, go, python3; downloads 1.5 GB',
  },
  clients: {
    files: ['test/real/clients/**/*.test.ts'],
    // Each client takes a processor.
    parallel: false,
    limit: 300,
    // Installs coding agents of two gigabytes.
    hookLimit: 1800,
    needs: 'root, python3; downloads 2 GB',
  },
  engines: {
    files: ['test/engines/**/*.test.ts'],
    // Each boots several servers.
    parallel: false,
    limit: 600,
    needs: 'root',
  },
  routes: {
    files: ['test/routes/**/*.test.ts'],
    parallel: true,
    limit: 300,
    // Installs programs of hundreds of megabytes.
    hookLimit: 1200,
    needs: 'root, go, python3; downloads 1 GB',
  },
  upstream: {
    files: ['test/upstream/{registry,upstream}.test.ts'],
    parallel: true,
    limit: 600,
    // Pulls and starts images of several gigabytes.
    hookLimit: 7200,
    needs: 'root, go, images of your choice',
    command: 'npm run test:upstream',
  },
  vm: {
    files: ['test/vm/*.test.ts'],
    // Each machine emulates two CPUs, which may be all that this machine has.
    parallel: false,
    // Without KVM everything takes ten to twenty times as long.
    limit: 3600,
    needs: 'root',
    command: 'npm run test:vm',
  },
} as const satisfies Readonly<Record<string, Suite>>;

export type SuiteName = keyof typeof suites;

export const suiteNames = Object.keys(suites) as readonly SuiteName[];

/** The suites that a record of a commit must have before it becomes a release. */
export const recordedSuites: readonly SuiteName[] = [
  'unit',
  'pty',
  'exhaustive',
  'integration',
  'host',
  'real',
  'engines',
  'routes',
];

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the suite with a given name. */
export function suiteNamed(name: SuiteName): Suite {
  return suites[name];
}

/** Returns the test files of a suite, sorted, from the root of the project. */
export function filesOf(name: SuiteName, words: readonly string[] = []): string[] {
  const { files, except = [] } = suiteNamed(name);
  return globSync([...files], { cwd: root, exclude: [...except] })
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort();
}

/** Returns the suites that contain a file. */
export function suitesWith(file: string): SuiteName[] {
  return suiteNames.filter((name) => filesOf(name).includes(file));
}
