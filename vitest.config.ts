import { defineConfig } from 'vitest/config';

const integration = 'test/integration/**/*.test.ts';
const host = 'test/host/**/*.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [integration, host],
          // A busy machine is no failure; a test that hangs still ends.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: [integration],
          // They share one registry, one engine and two cores.
          fileParallelism: false,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'host',
          include: [host],
          // Whole servers boot and install here, one after the other.
          fileParallelism: false,
          testTimeout: 1_200_000,
          hookTimeout: 1_200_000,
        },
      },
    ],
  },
});
