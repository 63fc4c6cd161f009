import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { topics } from '../suites/affected.ts';
import { jobsOf, plans } from '../suites/plans.ts';
import { filesOf, suiteNames } from '../suites/suites.ts';
import { root } from './sources.ts';

describe('the table of suites', () => {
  const suites = suiteNames.map((name) => ({ name, files: filesOf(name) }));

  it('contains every test file exactly once', () => {
    const wrong = globSync('test/**/*.test.ts', { cwd: root }).flatMap((file) => {
      const names = suites.filter(({ files }) => files.includes(file)).map(({ name }) => name);
      return names.length === 1 ? [] : [`${file} is in ${names.join(', ') || 'no suite'}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each(suites)('finds files for the suite $name', ({ files }) => {
    expect(files.length).toBeGreaterThan(0);
  });

  it.each(Object.keys(plans) as (keyof typeof plans)[])(
    'finds every file of the plan %s',
    (plan) => {
      for (const { suite, files } of jobsOf(plan)) expect(files.length, suite).toBeGreaterThan(0);
    },
  );

  it.each(Object.entries(topics))('finds the paths and tests of the topic %s', (_name, topic) => {
    for (const path of topic.paths) expect(existsSync(join(root, path)), path).toBe(true);
    for (const suite of suiteNames) {
      const words = topic.runs[suite];
      if (words === undefined || words === 'all') continue;
      for (const word of words) expect(filesOf(suite, [word]), word).not.toEqual([]);
    }
  });
});
