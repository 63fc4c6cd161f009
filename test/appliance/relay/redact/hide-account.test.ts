import { describe, expect, it, vi } from 'vitest';
import { HideInLines, HideInText } from '../../../../appliance/relay/redact/hide-account.ts';

const key = 'sk-the-provider-key-of-the-owner';
const bytes = (text: string) => new TextEncoder().encode(text);

describe('a stream of lines', () => {
  it('is parsed only if a line can be an error, so that empty lines are cheap', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const filter = new HideInLines(key);
    filter.push(bytes('\n: comment\ndata: [DONE]\n'.repeat(1000)));
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('is redacted in an error after whitespace', () => {
    const filter = new HideInLines(key);
    const line = `data:  {"error":{"message":"bad key ${key}"}}\n`;
    const passed = new TextDecoder().decode(filter.push(bytes(line)));
    expect(passed).not.toContain(key);
    expect(passed).toHaveLength(line.length);
  });
});

describe('a body that may be one JSON value', () => {
  const read = (chunks: readonly string[]) => {
    const filter = new HideInText(key);
    const passed = chunks.map((chunk) => new TextDecoder().decode(filter.push(bytes(chunk))));
    return { passed, rest: new TextDecoder().decode(filter.end()) };
  };

  it('is parsed a few times only, although each line arrives in a chunk of its own', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const { rest } = read(['{\n', ...Array<string>(1000).fill('\n'), '}\n']);
    expect(rest).toHaveLength(1004);
    expect(parse.mock.calls.length).toBeLessThan(5);
    parse.mockRestore();
  });

  it('is redacted by line if its first line is complete, also if a chunk has several lines', () => {
    const error = '{"error":{"message":"no org-abcdefgh"}}\n';
    const { passed } = read([`\n{"done":false}\n${error}`, error]);
    expect(passed.join('')).toContain('{"done":false}');
    expect(passed.join('')).not.toContain('org-abcdefgh');
    expect(passed.join('')).toHaveLength(16 + 2 * error.length);
  });

  it('is redacted as a whole if it has several lines', () => {
    const error = '{\n"error": {\n"message": "no org-abcdefgh"\n}\n}\n';
    const { passed, rest } = read([...error]);
    expect(passed.join('')).toBe('');
    expect(rest).toMatch(/^\{\n"error": \{\n"message": "no \*+"\n\}\n\}\n$/);
  });
});
