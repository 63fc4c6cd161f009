import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { filesOf } from '../suites/suites.ts';
import { problemsOfRecords, readRecords, type SuiteRecord, writeRecord } from './record.ts';
import { noOutcome } from './tally.ts';

const commit = 'a'.repeat(40);
const files = Object.fromEntries(filesOf('real').map((file) => [file, 1]));
const green: SuiteRecord = {
  ...{ suite: 'real', commit, clean: true, passed: 1, failed: 0, skips: [], files },
};

describe('the records of a commit', () => {
  it('allow a release when every suite ran completely without a failure', () => {
    expect(problemsOfRecords([green], commit, ['real'])).toEqual([]);
  });

  it('count shards together', () => {
    const [first = '', ...rest] = Object.keys(files);
    const shards = [[first], rest].map((names) => ({
      ...green,
      files: Object.fromEntries(names.map((name) => [name, 1])),
    }));
    expect(problemsOfRecords(shards, commit, ['real'])).toEqual([]);
    expect(problemsOfRecords(shards.slice(1), commit, ['real'])).toEqual([
      `real: not run: ${first}`,
    ]);
  });

  it.each([
    ['another commit', { commit: 'b'.repeat(40) }, `real: no record of ${commit}`],
    ['a changed working tree', { clean: false }, `real: no record of ${commit}`],
    ['a failure', { failed: 2 }, 'real: 2 failed'],
  ])('refuse a release after a run of %s', (_what, change, problem) => {
    expect(problemsOfRecords([{ ...green, ...change }], commit, ['real'])).toEqual([problem]);
  });
});

describe('the folder of records', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'landfall-records-'));
    vi.stubEnv('LANDFALL_TEST_RECORDS', folder);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  it('keeps the record of a suite, with the tested commit', async () => {
    await writeRecord('real', { ...noOutcome, passed: 3, files: { a: 1.5 } }, '2');
    expect(await readRecords(folder)).toMatchObject([
      { suite: 'real', passed: 3, files: { a: 1.5 }, commit: expect.stringMatching(/^[0-9a-f]+$/) },
    ]);
  });

  it('rejects a file that is not a record', async () => {
    await writeFile(join(folder, 'other.json'), '{}');
    await expect(readRecords(folder)).rejects.toThrow('other.json is not a record of tests');
  });
});
