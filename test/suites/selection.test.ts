import { describe, expect, it } from 'vitest';
import { stepsOf } from './plans.ts';
import { isDistribution, jobsFor, readSelection } from './selection.ts';

describe('the arguments of npm test', () => {
  it('select checks, unit tests, the page and one whole server on Debian 13 by default', async () => {
    const selection = readSelection([]);
    expect(selection).toEqual({
      checks: true,
      run: { plan: 'default' },
      distributions: ['debian13'],
    });
    const jobs = selection && (await jobsFor(selection));
    expect(jobs?.map(({ suite }) => suite)).toEqual(['unit', 'integration', 'host']);
    expect(jobs?.at(1)?.files).toEqual([
      'test/integration/configurator/hostile.test.ts',
      'test/integration/configurator/user-data.test.ts',
    ]);
    expect(jobs?.at(2)?.files).toEqual(['test/host/boot/first-boot.test.ts']);
  });

  it('select a plan on every distribution with --gate and --full', () => {
    expect(readSelection(['--gate'])).toEqual({
      ...{ checks: true, run: { plan: 'gate' }, distributions: [] },
    });
    expect(readSelection(['--full'])).toEqual({
      ...{ checks: true, run: { plan: 'full' }, distributions: [] },
    });
  });

  it('select the shards of --full, which together run every file once', async () => {
    const shard = async (text: string) => {
      const selection = readSelection(['--full', '--shard', text]);
      return selection ? await jobsFor(selection) : [];
    };
    const filesIn = (jobs: Awaited<ReturnType<typeof shard>>) => jobs.flatMap(({ files }) => files);
    const shards = await Promise.all(['1/3', '2/3', '3/3'].map(shard));
    const whole = readSelection(['--full']);
    const every = whole ? filesIn(await jobsFor(whole)) : [];
    expect(shards.flatMap(filesIn).sort()).toEqual(every.toSorted());
    for (const jobs of shards) expect(jobs.some(({ suite }) => suite === 'host')).toBe(true);
  });

  it('run every suite of a plan once, some of them at the same time', () => {
    const suites = ['unit', 'pty', 'exhaustive', 'integration', 'host', 'engines'] as const;
    expect(stepsOf('full', suites).flat(2).toSorted()).toEqual(suites.toSorted());
    expect(stepsOf('default', ['unit', 'host'])).toEqual([[['unit'], ['host']]]);
    expect(stepsOf('gate', ['host', 'integration', 'unit', 'real'])).toEqual([
      [['real', 'integration'], ['unit']],
      [['host']],
    ]);
  });

  it('select the suites of changed paths with --affected', () => {
    expect(readSelection(['--affected'])?.run).toEqual({ affectedSince: 'origin/main' });
    expect(readSelection(['--affected', 'HEAD~1'])?.run).toEqual({ affectedSince: 'HEAD~1' });
  });

  it('select suites by name, and files by words in their paths', () => {
    expect(readSelection(['--unit', 'test/builder'])).toEqual({
      checks: false,
      run: { suites: ['unit'], words: ['test/builder'] },
      distributions: [],
    });
    expect(readSelection(['--checks', '--real'])).toMatchObject({
      ...{ checks: true, run: { suites: ['real'] } },
    });
    expect(readSelection(['--checks'])).toMatchObject({ checks: true, run: { suites: [] } });
  });

  it('find the suite of a path', () => {
    const path = 'test/host/stages/kernel.test.ts';
    expect(readSelection([path, 'debian12'])).toEqual(readSelection(['--host', 'debian12', path]));
    expect(readSelection(['test/integration/acme'])?.run).toMatchObject({
      suites: ['integration'],
    });
    expect(readSelection(['test/differential/differential.test.ts'])?.run).toMatchObject({
      suites: ['exhaustive'],
    });
  });

  it('distinguish distributions from words', () => {
    expect(readSelection(['--host', 'debian12', 'boot'])).toMatchObject({
      ...{ run: { words: ['boot'] }, distributions: ['debian12'] },
    });
    expect(isDistribution('ubuntu-like')).toBe(true);
    expect(isDistribution('boot')).toBe(false);
  });

  it.each([
    [['--unknown']],
    [['boot']],
    [['test/nowhere']],
    [['--gate', 'boot']],
    [['--gate', '--full']],
    [['--full', '--unit']],
    [['--affected', 'a', 'b']],
    [['--shard', '1/2']],
    [['--full', '--shard', '3/2']],
    [['--full', '--shard', '0/2']],
    // They have commands that prepare more.
    [['--vm']],
    [['test/vm/power.test.ts']],
  ])('reject %j', (args) => {
    expect(readSelection(args)).toBeUndefined();
  });

  it('fail when no file has a word in its path', async () => {
    const selection = readSelection(['--unit', 'no-such-topic']);
    await expect(selection && jobsFor(selection)).rejects.toThrow('no such test: no-such-topic');
  });
});
