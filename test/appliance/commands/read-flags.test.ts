import { describe, expect, it } from 'vitest';
import { readFlags } from '../../../appliance/commands/read-flags.ts';

describe('the flags of a command', () => {
  it('are those that were given', () => {
    expect(readFlags('status', ['--json'], ['watch', 'json'])).toEqual({
      watch: false,
      json: true,
    });
    expect(readFlags('status', [], ['watch', 'json'])).toEqual({ watch: false, json: false });
  });

  it.each([['--jason'], ['json'], ['--json=no'], ['-j'], ['--no-json']])(
    'are refused with %s, and the right ones named',
    (arg) => {
      expect(() => readFlags('status', [arg], ['json'])).toThrow(
        expect.objectContaining({
          code: 'USAGE',
          message: `landfall status does not take ${arg}`,
          hint: 'It takes --json.',
        }),
      );
    },
  );
});
