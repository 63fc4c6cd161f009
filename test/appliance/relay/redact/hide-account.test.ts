import { describe, expect, it, vi } from 'vitest';
import { HideInLines } from '../../../../appliance/relay/redact/hide-account.ts';

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
