import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { readPullLine } from '../../../appliance/models/pull-line.ts';

describe('a line of the pull response', () => {
  it.each([
    { status: 'pulling manifest' },
    { status: 'pulling dde5aa3fc5ff', digest: 'sha256:dde5', total: 2_019_377_376 },
    { status: 'pulling dde5aa3fc5ff', digest: 'sha256:dde5', total: 10, completed: 3 },
    { status: 'pulling model', digest: 'sha256:model', total: 10, completed: 3 },
    { error: 'pull model manifest: file does not exist' },
  ])('may be %j', (line) => expect(readPullLine(line)).toEqual(line));

  it('reads a line of the pull response as an error if it has an error field', () => {
    expect(readPullLine({ status: 'success', error: 'no' })).toEqual({ error: 'no' });
  });

  it.each([
    [null],
    ['success'],
    [{}],
    [{ status: '' }],
    [{ error: '' }],
    [{ status: 'a', total: -1 }],
    [{ status: 'a', total: 1.5 }],
    [{ status: 'a', completed: '1' }],
    [{ status: 'a', completed: 1e300 }],
    [{ status: 7 }],
  ])('rejects a line of the pull response: %j', (line) => {
    expect(() => readPullLine(line)).toThrow(LandfallError);
  });

  it('parses or rejects a line of the pull response for any input', () => {
    const amount = fc.oneof(fc.integer(), fc.double(), fc.string());
    const near = fc.record(
      { status: fc.string(), error: fc.string(), total: amount, completed: amount },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), near), (value) => {
        try {
          const line = readPullLine(value);
          expect('error' in line || line.status.length > 0).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(LandfallError);
        }
      }),
    );
  });
});
