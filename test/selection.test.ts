import { describe, expect, it } from 'vitest';
import { readSelection } from './selection.ts';

describe('npm test', () => {
  it('runs every suite; of tests with real dependencies the essential ones on Debian 13', () => {
    expect(readSelection([])).toEqual({
      checks: true,
      unit: true,
      integration: true,
      host: true,
      files: 'essential',
      words: [],
      distributions: ['debian13'],
    });
  });

  it('runs every file on every distribution with --all', () => {
    expect(readSelection(['--all'])).toMatchObject({
      checks: true,
      host: true,
      files: 'all',
      distributions: [],
    });
    expect(readSelection(['--host', '--all'])).toMatchObject({
      unit: false,
      host: true,
      files: 'all',
      distributions: [],
    });
  });

  it('runs the named suites and files', () => {
    expect(readSelection(['--unit', 'test/builder'])).toMatchObject({
      checks: false,
      unit: true,
      integration: false,
      host: false,
      words: ['test/builder'],
    });
    expect(readSelection(['--checks', '--integration'])).toMatchObject({
      checks: true,
      unit: false,
      integration: true,
      files: 'all',
    });
  });

  it('finds the suite of a file by its path', () => {
    const path = 'test/host/stages/kernel.test.ts';
    expect(readSelection([path])).toEqual(readSelection(['--host', path]));
    expect(readSelection([path, 'debian12'])).toEqual(readSelection(['--host', 'debian12', path]));
    expect(readSelection(['test/integration/acme'])).toMatchObject({
      ...{ unit: false, integration: true, host: false },
    });
    expect(readSelection(['test/builder', 'test/host/boot'])).toMatchObject({
      ...{ checks: false, unit: true, integration: false, host: true },
    });
  });

  it('derives the tested distributions from file names', () => {
    expect(readSelection(['--host', 'debian12', 'boot'])).toMatchObject({
      unit: false,
      host: true,
      files: 'all',
      words: ['boot'],
      distributions: ['debian12'],
    });
    expect(readSelection(['--host', 'ubuntu-like', 'users'])).toMatchObject({
      words: ['users'],
      distributions: ['ubuntu-like'],
    });
  });

  it.each([
    [['--nonsense']],
    [['--unit', '--nonsense']],
    [['boot']],
    [['--all', 'boot']],
    [['test/vm/boot']],
  ])('rejects %j', (args) => {
    expect(readSelection(args)).toBeUndefined();
  });
});
