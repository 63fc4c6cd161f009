import { describe, expect, it } from 'vitest';
import { parseYaml, parseYamlText } from '#yaml/parse.ts';

const parse = (text: string, options = {}) => parseYamlText(text, 'file.yaml', options).value;

describe('a document as text', () => {
  it('keeps scalars as they are written', () => {
    const text = 'a: 0123\nb: 1e5\nc: true\nd: "~"\ne: "null"\nf: "x\\u0041"\n';
    const expected = { a: '0123', b: '1e5', c: 'true', d: '~', e: 'null', f: 'xA' };
    expect(parse(text, { asText: true })).toEqual(expected);
  });

  it('reads missing values of a document as null', () => {
    const value = parse('a: ~\nb: null\nc:\n', { asText: true });
    expect(value).toEqual({ a: null, b: null, c: null });
  });

  it('may use merges', () => {
    const value = parse('x: &x {a: 1}\ny: {<<: *x}\n', { asText: true });
    expect(value).toMatchObject({ y: { a: '1' } });
  });
});

describe('an error of the parser', () => {
  it('does not repeat a line that starts with %, which could be a secret', () => {
    expect(() => parse('%S3cr3t x\n---\na: 1\n', { asText: true })).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ message: expect.not.stringContaining('S3cr3t') })],
      }),
    );
  });
});

describe('limits', () => {
  it('limits bytes, and aliases less in documents of programs', () => {
    const long = Buffer.from(`a: "${'x'.repeat(300_000)}"\n`);
    expect(() => parseYaml(long, 'file.yaml')).toThrow('larger than 262144 bytes');
    const aliases = `a: &a 1\nb: [${Array.from({ length: 150 }, () => '*a').join(', ')}]\n`;
    expect(() => parse(aliases)).toThrow('is not valid YAML');
    expect(parse(aliases, { asText: true })).toMatchObject({ a: '1' });
  });
});
