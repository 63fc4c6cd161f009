import { defineConfig } from 'vitest/config';

const integration = 'test/integration/**/*.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [integration],
        },
      },
      {
        test: {
          name: 'integration',
          include: [integration],
          // They share one registry, one engine and two cores.
          fileParallelism: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
