import { describe, expect, it } from 'vitest';
import { readSelection } from './selection.ts';

describe('npm test', () => {
  it('runs everything unless told otherwise', () => {
    expect(readSelection([])).toEqual({
      checks: true,
      unit: true,
      integration: true,
      host: true,
      files: [],
      distributions: [],
    });
  });

  it('runs what is asked for', () => {
    expect(readSelection(['--unit', 'test/builder'])).toEqual({
      checks: false,
      unit: true,
      integration: false,
      host: false,
      files: ['test/builder'],
      distributions: [],
    });
    expect(readSelection(['--checks', '--integration'])).toMatchObject({
      checks: true,
      unit: false,
      integration: true,
    });
  });

  it('tells the servers to test from the names of files', () => {
    expect(readSelection(['--host', 'debian12', 'boot'])).toMatchObject({
      unit: false,
      host: true,
      files: ['boot'],
      distributions: ['debian12'],
    });
    expect(readSelection(['--host', 'ubuntu-like', 'users'])).toMatchObject({
      files: ['users'],
      distributions: ['ubuntu-like'],
    });
  });

  it.each([[['--nonsense']], [['--unit', '--nonsense']], [['test/builder']]])(
    'does not guess what %j means',
    (args) => {
      expect(readSelection(args)).toBeUndefined();
    },
  );
});
