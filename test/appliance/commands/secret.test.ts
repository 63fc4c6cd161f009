import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { nameIn, secretCommand } from '../../../appliance/commands/secret.ts';

describe('landfall secret', () => {
  it('takes root', () => expect(secretCommand.root).toBe(true));

  it('sets a secret by its name', () => {
    expect(nameIn(['set', 'OPENAI_API_KEY'])).toBe('OPENAI_API_KEY');
  });

  it.each([[], ['get', 'OPENAI_API_KEY'], ['set', 'OPENAI_API_KEY', 'sk-very-secret-value']])(
    'does not take %j, and repeats no value',
    (...args) => {
      try {
        nameIn(args.flat());
        expect.unreachable('it was taken');
      } catch (error) {
        if (!(error instanceof LandfallError)) throw error;
        expect(error.code).toBe('USAGE');
        expect(`${error.message} ${error.hint}`).not.toContain('very-secret');
      }
    },
  );
});
