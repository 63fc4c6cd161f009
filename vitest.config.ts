import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import {
  distributionsVariable,
  everyDistribution,
  hostFilesFor,
} from './test/host/distributions.ts';
import { essentialVariable } from './test/suites.ts';

/** Unit tests that try every interruption, or thousands of bundles. Plain `npm test` leaves them out. */
const exhaustive = [
  'test/appliance/transaction/{changed-site,interrupted-restore,interrupted-update}.test.ts',
  'test/differential/differential.test.ts',
];

const root = import.meta.dirname;
const integration = 'test/integration/**/*.test.ts';
const host = 'test/host/**/*.test.ts';
/** Without its subfolders, whose tests are unit tests. */
const vm = 'test/vm/*.test.ts';
const upstream = 'test/upstream/{registry,upstream}.test.ts';
const routes = 'test/routes/**/*.test.ts';
const real = 'test/real/**/*.test.ts';
const engines = 'test/engines/**/*.test.ts';

/** Prints values in full, because the output of a server is the only evidence of a failure. */
const chaiConfig = { truncateThreshold: 0 };

const unit = {
  // Truncated, because a line-by-line diff of large values takes hours.
  diff: { truncateThreshold: 1000 },
  include: ['test/**/*.test.ts'],
  exclude: [
    ...[integration, host, vm, upstream, routes, real, engines],
    ...(process.env[essentialVariable] ? exhaustive : []),
  ],
  setupFiles: ['test/setup/bytes-as-text.ts'],
  // A test without an assertion cannot fail.
  expect: { requireAssertions: true },
  // Long enough for a busy machine; a hanging test still ends.
  testTimeout: 120_000,
  hookTimeout: 120_000,
};
/** Unit tests that replace a module: in a shared process, the next file would get the replacement. */
const replacing = globSync(unit.include, { cwd: root, exclude: unit.exclude }).filter((file) =>
  readFileSync(join(root, file), 'utf8').includes('vi.mock('),
);

export default defineConfig({
  test: {
    // Tests mostly wait, so there are more workers than CPUs.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      // Most files share processes, which takes a third less time than a process for each.
      { test: { ...unit, name: 'unit', exclude: [...unit.exclude, ...replacing], isolate: false } },
      { test: { ...unit, name: 'unit-alone', include: replacing } },
      {
        test: {
          name: 'integration',
          include: [integration],
          chaiConfig,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'docker',
          include: [integration],
          chaiConfig,
          // Containers of the stack have fixed names, so only one file at a time may use Docker.
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      ...everyDistribution.map((distribution) => ({
        test: {
          name: `host-${distribution}`,
          include: hostFilesFor(distribution),
          env: { [distributionsVariable]: distribution },
          chaiConfig,
          // Tests of whole servers mostly wait. Each server has a separate network.
          maxWorkers: 3,
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
        },
      })),
      {
        test: {
          name: 'upstream',
          include: [upstream],
          // Pulls and starts images of several gigabytes.
          testTimeout: 600_000,
          hookTimeout: 7_200_000,
        },
      },
      {
        test: {
          name: 'routes',
          include: [routes],
          // Installs programs of hundreds of megabytes.
          testTimeout: 300_000,
          hookTimeout: 1_200_000,
        },
      },
      {
        test: {
          name: 'real',
          include: [real],
          // The files share one Docker, and containers of the stack have fixed names.
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'engines',
          include: [engines],
          // Each boots several servers.
          fileParallelism: false,
          chaiConfig,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'vm',
          include: [vm],
          // Each machine emulates two CPUs, which may be all that this machine has.
          fileParallelism: false,
          // Without KVM everything takes ten to twenty times as long.
          testTimeout: 3_600_000,
          hookTimeout: 3_600_000,
        },
      },
    ],
  },
});
