import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { encodeCanonicalJson } from '#contract/text/json.ts';
import { fuzzRuns } from '../../../../simulator/fuzz.ts';

describe('canonical JSON', () => {
  it('indents canonical JSON by two spaces, keeps the order of keys, and adds one line break', () => {
    const value = { b: [1, { c: null }], a: 'x', empty: [], none: {} };
    expect(decodeUtf8(encodeCanonicalJson(value))).toBe(
      '{\n  "b": [\n    1,\n    {\n      "c": null\n    }\n  ],\n  "a": "x",\n  "empty": [],\n  "none": {}\n}\n',
    );
  });

  it('writes canonical JSON in UTF-8 without unnecessary escapes', () => {
    expect(Buffer.from(encodeCanonicalJson('ä😀'))).toEqual(Buffer.from('"ä😀"\n', 'utf8'));
  });

  it('writes a single canonical form for each JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const bytes = encodeCanonicalJson(value);
        expect(encodeCanonicalJson(JSON.parse(decodeUtf8(bytes)))).toEqual(bytes);
      }),
      { numRuns: fuzzRuns(300) },
    );
  });
});
