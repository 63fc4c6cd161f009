import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { versionPattern } from '#contract/bundle/version.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';

const part = fc.constantFrom(
  '0',
  '1',
  '01',
  '10',
  '999999999',
  '9999999999',
  'rc',
  'x-1',
  '0a',
  '',
  '-',
  '+',
  '.',
);
const almost = fc
  .tuple(
    fc.oneof(fc.tuple(part, part, part), fc.array(part, { maxLength: 5 })),
    fc.array(part, { maxLength: 4 }),
  )
  .map(([core, pre]) => core.join('.') + (pre.length > 0 ? `-${pre.join('.')}` : ''));

describe('a version', () => {
  it.each(['0.0.0', '1.2.3', '10.20.30', '1.0.0-rc.1', '1.0.0-0', '1.0.0-x-y.z1', '1.0.0--'])(
    'may be %s',
    (version) => {
      expect(versionPattern.test(version)).toBe(true);
    },
  );

  it.each([
    '',
    '1',
    '1.2',
    '1.2.3.4',
    'v1.2.3',
    '01.2.3',
    '1.2.3-',
    '1.2.3-..',
    '1.2.3-01',
    '1.2.3+build',
    '1.2.3 ',
    '1.2.3\n',
    '-1.2.3',
    '1.2.1000000000',
    '1.2.3-ä',
  ])('may not be %j', (version) => {
    expect(versionPattern.test(version)).toBe(false);
  });

  it('accepts only versions that semver can compare', () => {
    fc.assert(
      fc.property(almost, (version) => {
        expect(versionPattern.test(version) && semver.valid(version) !== version).toBe(false);
      }),
      { numRuns: fuzzRuns(2000) },
    );
  });
});
