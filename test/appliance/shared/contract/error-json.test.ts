import { describe, expect, it } from 'vitest';
import { errorToJson, LandfallError } from '#contract/errors.ts';

const error = new LandfallError('CONFIG_INVALID', 'appliance.yaml is not valid', {
  hint: 'Fix the listed problems.',
  problems: [{ message: 'unknown key imgae', file: 'appliance.yaml', line: 3, column: 7 }],
});

describe('an error for programs', () => {
  it('prints an error for programs as one object with the literal code', () => {
    expect(errorToJson(error)).toEqual({
      error: {
        code: 'CONFIG_INVALID',
        message: error.message,
        hint: error.hint,
        problems: error.problems,
        retriable: false,
      },
    });
  });

  it('prints the code BUG for an unexpected error', () => {
    expect(errorToJson('oops')).toEqual({
      error: { code: 'BUG', message: 'oops', retriable: false },
    });
  });
});
