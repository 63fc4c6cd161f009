import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiJson } from '#contract/site/brief-site.ts';

describe('JSON in ASCII', () => {
  it('writes JSON in ASCII that is equivalent to usual JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (fields) => {
        const text = asciiJson(fields);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(fields));
        expect(text).toMatch(/^[\n -~]*$/);
      }),
    );
  });

  it('writes JSON in ASCII with one field per line', () => {
    expect(asciiJson({ a: [1, 2], b: { c: 'd' } })).toBe('{\n"a": [1,2],\n"b": {"c":"d"}\n}\n');
  });

  it('omits undefined fields', () => {
    expect(asciiJson({ a: 1, b: undefined })).toBe('{\n"a": 1\n}\n');
  });

  it.each([
    ['é', '\\u00e9'],
    ['\u007f', '\\u007f'],
    ['\u2028', '\\u2028'],
    ['💥', '\\ud83d\\udca5'],
  ])('escapes %j', (text, escaped) => {
    expect(asciiJson({ text })).toContain(`"${escaped}"`);
  });
});
