import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe.each(['docs/release/second-release.md', 'docs/zh/release/second-release.md'])(
  'the steps of %s',
  (path) => {
    it('lead from a higher version over the lock and the build to a server', () => {
      const steps = [
        ...['version: 0.2.0', 'landfall lock --update\n', 'landfall build'],
        ...['landfall push --update', 'landfall channel sign', 'sudo landfall update\n'],
      ];
      const page = readFileSync(path, 'utf8');
      const places = steps.map((step) => page.indexOf(step));
      expect(places).toEqual([...places].sort((one, other) => one - other));
      expect(places).not.toContain(-1);
    });
  },
);

it.each([
  ['README.md', 'docs/start/own-release.md'],
  ['README.zh-CN.md', 'docs/zh/start/own-release.md'],
])('starts the steps of %s and %s with a clone of the repository', (...paths) => {
  const blocks = paths.flatMap((path) => readFileSync(path, 'utf8').split('```sh\n').slice(1));
  const needing = blocks.filter((block) =>
    /^(?:git clone.*\n)?npm (?:link|run quickstart)/.test(block),
  );
  expect(needing.length).toBe(2);
  for (const block of needing) expect(block).toMatch(/^git clone /);
});
