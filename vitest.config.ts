import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import {
  distributionsVariable,
  everyDistribution,
  hostFilesFor,
} from './test/host/distributions.ts';

const integration = 'test/integration/**/*.test.ts';
const host = 'test/host/**/*.test.ts';
/** Not below: what makes a virtual machine is tested with the other units. */
const vm = 'test/vm/*.test.ts';
const upstream = 'test/upstream/upstream.test.ts';

/** What failed on a server is known from its own words alone: all of them are printed. */
const chaiConfig = { truncateThreshold: 0 };

export default defineConfig({
  test: {
    // Tests wait more than they compute: two processors do the work of three workers.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        test: {
          name: 'unit',
          // Large values that differ would be compared line by line, which takes hours.
          diff: { truncateThreshold: 1000 },
          include: ['test/**/*.test.ts'],
          exclude: [integration, host, vm, upstream],
          setupFiles: ['test/setup/bytes-as-text.ts'],
          // A test that asserts nothing cannot fail.
          expect: { requireAssertions: true },
          // A busy machine is no failure; a test that hangs still ends.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
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
          // Containers of the stack have fixed names: one file at a time has the engine.
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
          // Whole servers, each on a network of its own: they wait more than they compute.
          maxWorkers: 3,
          testTimeout: 1_800_000,
          hookTimeout: 1_800_000,
        },
      })),
      {
        test: {
          name: 'upstream',
          include: [upstream],
          // Images of gigabytes are fetched and started here.
          testTimeout: 600_000,
          hookTimeout: 7_200_000,
        },
      },
      {
        test: {
          name: 'vm',
          include: [vm],
          // Two processors are emulated, which is all that the machine may have.
          fileParallelism: false,
          // Without KVM everything takes ten to twenty times as long.
          testTimeout: 3_600_000,
          hookTimeout: 3_600_000,
        },
      },
    ],
  },
});
