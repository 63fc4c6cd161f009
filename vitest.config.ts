import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import {
  distributionsVariable,
  everyDistribution,
  hostFilesFor,
} from './test/host/distributions.ts';
import { filesOf, type SuiteName, suiteNamed, suiteNames } from './test/suites/suites.ts';

const root = import.meta.dirname;

/** Unit tests that replace a module: in a shared process, the next file would get the replacement. */
const replacing = filesOf('unit').filter((file) =>
  readFileSync(join(root, file), 'utf8').includes('vi.mock('),
);

/** What unit tests share: their output is truncated, because a diff of large values takes hours. */
const unit = {
  diff: { truncateThreshold: 1000 },
  setupFiles: ['test/setup/bytes-as-text.ts'],
  // A test without an assertion cannot fail.
  expect: { requireAssertions: true },
};

/** What slower tests share: the output of a server is the only evidence of a failure. */
const real = { chaiConfig: { truncateThreshold: 0 } };

/** Projects of suites that differ from `project(suite)`. */
const special: Partial<Record<SuiteName, readonly object[]>> = {
  unit: [
    // Most files share processes, which takes a third less time than a process for each.
    { ...project('unit', unit), exclude: replacing, isolate: false },
    { ...project('unit', unit), name: 'unit-alone', include: replacing },
  ],
  pty: [project('pty', unit)],
  exhaustive: [project('exhaustive', unit)],
  integration: [
    project('integration'),
    // Containers of the stack have fixed names, so only one file at a time may use Docker.
    { ...project('integration'), name: 'docker', fileParallelism: false },
  ],
  host: everyDistribution.map((distribution) => ({
    ...project('host'),
    name: `host-${distribution}`,
    include: hostFilesFor(distribution),
    env: { [distributionsVariable]: distribution },
  })),
};

/** Returns the project that runs a suite as its row says (`test/suites/suites.ts`). */
function project(name: SuiteName, shared: object = real) {
  const { parallel, limit, hookLimit = limit } = suiteNamed(name);
  return {
    name,
    ...shared,
    include: filesOf(name),
    testTimeout: limit * 1000,
    hookTimeout: hookLimit * 1000,
    ...(parallel === false && { fileParallelism: false }),
    ...(typeof parallel === 'number' && { maxWorkers: parallel }),
  };
}

export default defineConfig({
  test: {
    // Tests mostly wait, so there are more workers than CPUs.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: suiteNames
      .flatMap((name) => special[name] ?? [project(name)])
      .map((test) => ({ test })),
  },
});
