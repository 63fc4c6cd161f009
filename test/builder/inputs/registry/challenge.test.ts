import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Challenge, parseChallenges } from '../../../../builder/inputs/registry/challenge.ts';

function plain(challenges: readonly Challenge[]) {
  return challenges.map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);
}

describe('a WWW-Authenticate header', () => {
  const headers: ReadonlyArray<readonly [string, unknown]> = [
    ['Basic realm="x"', [['basic', { realm: 'x' }]]],
    [
      'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:library/nginx:pull"',
      [
        [
          'bearer',
          {
            realm: 'https://auth.docker.io/token',
            service: 'registry.docker.io',
            scope: 'repository:library/nginx:pull',
          },
        ],
      ],
    ],
    ['bEaReR Realm = "a" , SERVICE=b', [['bearer', { realm: 'a', service: 'b' }]]],
    [
      'Basic realm="x", Bearer realm="y",scope="a,b"',
      [
        ['basic', { realm: 'x' }],
        ['bearer', { realm: 'y', scope: 'a,b' }],
      ],
    ],
    [
      'Negotiate, Basic realm="x"',
      [
        ['negotiate', {}],
        ['basic', { realm: 'x' }],
      ],
    ],
    [
      'Negotiate YII=, Basic realm="x"',
      [
        ['negotiate', {}],
        ['basic', { realm: 'x' }],
      ],
    ],
    ['Basic realm="say \\"friend\\" \\\\ enter"', [['basic', { realm: 'say "friend" \\ enter' }]]],
    ['Basic realm=""', [['basic', { realm: '' }]]],
    [', ,Basic realm="x", ,', [['basic', { realm: 'x' }]]],
    ['Basic', [['basic', {}]]],
    ['', []],
  ];

  it.each(headers)('parses a WWW-Authenticate header: %s', (header, expected) => {
    expect(plain(parseChallenges(header))).toEqual(expected);
  });

  it('may be missing', () => {
    expect(parseChallenges(undefined)).toEqual([]);
  });

  it.each([
    ['a quote without an end', 'Bearer realm="x'],
    ['a duplicate parameter with different case', 'Bearer realm="x",REALM="y"'],
    ['data after a value', 'Bearer realm="x"y'],
    ['a parameter without a scheme', '"x"'],
    ['a partially valid header', 'Bearer realm="x",service="y", ="z"'],
    ['too many parameters', `Bearer ${numbered(33).join(',')}`],
    ['too many bytes', `Bearer realm="${'x'.repeat(9000)}"`],
  ])('ignores a WWW-Authenticate header with %s', (_, header) => {
    expect(parseChallenges(header)).toEqual([]);
  });

  it('may have the maximum number of parameters', () => {
    expect(parseChallenges(`Bearer ${numbered(32).join(',')}`)[0]?.parameters.size).toBe(32);
  });
});

describe('any header', () => {
  const token = fc.stringMatching(/^[a-z0-9!#$%&'*+.^_`|~-]{1,8}$/);
  const value = fc.string({ unit: fc.constantFrom(...'aZ09 ,="\\/:;'), maxLength: 12 });
  const challenge = fc.record({
    scheme: token,
    parameters: fc.dictionary(token, value, { minKeys: 1, maxKeys: 4 }),
  });

  it('that is valid is parsed back', () => {
    fc.assert(
      fc.property(fc.array(challenge, { maxLength: 4 }), (challenges) => {
        const header = challenges
          .map(({ scheme, parameters }) => {
            const written = Object.entries(parameters).map(
              ([name, text]) => `${name}="${text.replace(/["\\]/g, '\\$&')}"`,
            );
            return `${scheme} ${written.join(', ')}`;
          })
          .join(', ');
        expect(plain(parseChallenges(header))).toEqual(
          challenges.map(({ scheme, parameters }) => [scheme, { ...parameters }]),
        );
      }),
    );
  });

  it('never throws', () => {
    const near = fc.string({ unit: fc.constantFrom(...'Bb ="\\,;/\t~'), maxLength: 60 });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (header) => {
        const parsed = parseChallenges(header);
        expect(parsed.length).toBeLessThanOrEqual(header.length);
        for (const { scheme, parameters } of parsed) {
          expect(scheme).toMatch(/^\S+$/);
          expect(parameters.size).toBeLessThanOrEqual(32);
        }
      }),
    );
  });

  it('parses any WWW-Authenticate header of maximum length without backtracking', () => {
    const worst = ['a'.repeat(8190), '"\\'.repeat(4000), 'a="\\'.repeat(2000), 'a '.repeat(4000)];
    for (const header of worst) {
      expect(parseChallenges(`x ${header}`.slice(0, 8192)).length).toBeLessThanOrEqual(8192);
    }
  });
});

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `p${index}=v`);
}
