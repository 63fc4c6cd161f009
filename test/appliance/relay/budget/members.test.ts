import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { membersOf, withMember } from '../../../../appliance/relay/budget/members.ts';

describe('the members of a JSON object', () => {
  it('lists repeated names and values of every kind', () => {
    const text = ' {"a" : [1,{"x":"}"}] ,"b\\"":"\\\\","a":null, "\\u0063":-1.5e3}';
    const found = membersOf(text).map(({ name, start, end }) => [
      name,
      JSON.parse(text.slice(start, end)),
    ]);
    expect(found).toEqual([
      ['a', [1, { x: '}' }]],
      ['b"', '\\'],
      ['a', null],
      ['c', -1500],
    ]);
  });

  it('lists the members of any object as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, spaces) => {
        const text = JSON.stringify(object, null, spaces);
        const parsed = JSON.parse(text);
        const found = membersOf(text).map(({ name, start, end }) => [
          name,
          JSON.parse(text.slice(start, end)),
        ]);
        expect(found).toEqual(Object.entries(parsed));
      }),
    );
  });

  it('adds or replaces a member, and leaves the rest as it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (object, spaces) => {
        const text = JSON.stringify(object, null, spaces);
        const changed = withMember(text, 'stream_options', { on: true });
        expect(JSON.parse(changed)).toEqual({ ...JSON.parse(text), stream_options: { on: true } });
      }),
    );
    const text = '{"n": 1.0, "stream_options": null,  "m": 12345678901234567890}';
    expect(withMember(text, 'stream_options', 2)).toBe(
      '{"n": 1.0, "stream_options":2,  "m": 12345678901234567890}',
    );
  });

  it('scans eight megabytes of brackets and of escapes', () => {
    const deep = `{"a":${'['.repeat(2e6)}${']'.repeat(2e6)},"b":1}`;
    expect(membersOf(deep).map(({ name }) => name)).toEqual(['a', 'b']);
    const escapes = JSON.stringify({ a: '"\\'.repeat(2e6), b: 1 });
    expect(membersOf(escapes).map(({ name }) => name)).toEqual(['a', 'b']);
  });
});
