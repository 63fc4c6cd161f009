import { describe, expect, it } from 'vitest';
import {
  isSameWarning,
  warningKinds,
  warningSchema,
} from '../../../../appliance/server/stage/reporter.ts';
import { warningOf } from './warning-of.ts';

describe('a stored warning', () => {
  it.each(warningKinds)('reads a stored warning of kind %s as it was written', (kind) => {
    const warning = warningOf('text', { kind });
    expect(warningSchema.parse(JSON.parse(JSON.stringify(warning)))).toEqual(warning);
  });

  it('reads only the text of a warning of an older release', () => {
    const expected = { kind: 'other', subject: '', text: 'no swap was made' };
    expect(warningSchema.parse('no swap was made')).toEqual(expected);
  });

  it('reads a warning of a newer release with its subject and text', () => {
    const newer = { kind: 'of-next-year', subject: 'x', text: 'y', more: 1 };
    expect(warningSchema.parse(newer)).toEqual({ kind: 'other', subject: 'x', text: 'y' });
  });
});

describe('two warnings', () => {
  it('compares two warnings as equal if kind, subject and text are equal', () => {
    const one = warningOf('text');
    expect(isSameWarning(one, { ...one })).toBe(true);
    for (const part of [{ kind: 'disk' }, { subject: 'x' }, { text: 'x' }] as const) {
      expect(isSameWarning(one, { ...one, ...part })).toBe(false);
    }
  });
});
