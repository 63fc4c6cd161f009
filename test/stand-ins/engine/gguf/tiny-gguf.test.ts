import { describe, expect, it } from 'vitest';
import { tinyGguf } from './tiny-gguf.ts';

describe('the tiny model', () => {
  it('writes the tiny model as GGUF of version 3 with aligned data', () => {
    const bytes = tinyGguf();
    expect(bytes.subarray(0, 4).toString()).toBe('GGUF');
    expect(bytes.readUInt32LE(4)).toBe(3);
    expect(bytes.length % 32).toBe(0);
    expect(bytes.length).toBeLessThan(1_000_000);
  });

  it('depends only on the seed', () => {
    expect(tinyGguf(5).equals(tinyGguf(5))).toBe(true);
    expect(tinyGguf(5).equals(tinyGguf(6))).toBe(false);
  });
});
