import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { formatError } from '../../../builder/progress/print-error.ts';

const plain = (_format: string, text: string) => text;
const error = new LandfallError('CONFIG_INVALID', 'appliance.yaml is not valid', {
  hint: 'Mend what is listed.',
  problems: [
    {
      message: 'unknown key imgae',
      hint: 'Did you mean image?',
      file: 'appliance.yaml',
      line: 3,
      column: 7,
    },
    { message: 'no platform' },
  ],
});

describe('an error for people', () => {
  it('says what happened, where, and what to do', () => {
    expect(formatError(error, plain)).toBe(`error CONFIG_INVALID: appliance.yaml is not valid
  appliance.yaml:3:7  unknown key imgae
      Did you mean image?
  no platform
hint: Mend what is listed.`);
  });

  it('asks to report what nobody foresaw, with its stack', () => {
    const text = formatError(new TypeError('x is not a function'), plain);
    expect(text).toContain('a bug in Landfall');
    expect(text).toContain('print-error.test.ts');
  });
});
