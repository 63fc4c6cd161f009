import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseJson, readJson } from '#contract/text/json.ts';

describe('JSON of others', () => {
  it('parses text and UTF-8 bytes alike', () => {
    expect(parseJson('{"name":"é"}')).toEqual({ name: 'é' });
    expect(parseJson(Buffer.from('{"name":"é"}'))).toEqual({ name: 'é' });
  });

  it.each(['', '{', 'undefined', '{"a":1}{', '\ufeff{}'])('returns undefined for %j', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  it('returns undefined for a structure that needs much more memory than its text', () => {
    expect(parseJson(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toBeUndefined();
    expect(parseJson(`${'['.repeat(600)}${']'.repeat(600)}`)).toBeUndefined();
    expect(parseJson(`${'['.repeat(500)}${']'.repeat(500)}`)).toBeDefined();
    expect(parseJson(`[${'[],'.repeat(1e6)}0]`)).toBeUndefined();
    expect(parseJson(JSON.stringify('[{":,'.repeat(1e6)))).toHaveLength(5e6);
  });

  it('returns undefined for a value that the schema rejects, and for no text', () => {
    const schema = z.object({ port: z.int() });
    expect(readJson(schema, '{"port":80}')).toEqual({ port: 80 });
    expect(readJson(schema, '{"port":"80"}')).toBeUndefined();
    expect(readJson(schema, '{"port":')).toBeUndefined();
    expect(readJson(schema, undefined)).toBeUndefined();
  });
});
