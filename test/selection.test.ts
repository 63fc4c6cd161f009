import { describe, expect, it } from 'vitest';
import { readSelection } from './selection.ts';

describe('npm test', () => {
  it('runs everything unless told otherwise', () => {
    expect(readSelection([])).toEqual({ checks: true, unit: true, integration: true, files: [] });
  });

  it('runs what is asked for', () => {
    expect(readSelection(['--unit', 'test/builder'])).toEqual({
      checks: false,
      unit: true,
      integration: false,
      files: ['test/builder'],
    });
    expect(readSelection(['--checks', '--integration'])).toMatchObject({
      checks: true,
      unit: false,
      integration: true,
    });
  });

  it.each([[['--nonsense']], [['--unit', '--nonsense']], [['test/builder']]])(
    'does not guess what %j means',
    (args) => {
      expect(readSelection(args)).toBeUndefined();
    },
  );
});
