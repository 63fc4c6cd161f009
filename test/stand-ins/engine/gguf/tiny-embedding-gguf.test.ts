import { describe, expect, it } from 'vitest';
import { tinyEmbeddingGguf } from './tiny-embedding-gguf.ts';

describe('the tiny embedding model', () => {
  it('writes the tiny embedding model as GGUF of version 3 with aligned data', () => {
    const bytes = tinyEmbeddingGguf();
    expect(bytes.subarray(0, 4).toString()).toBe('GGUF');
    expect(bytes.readUInt32LE(4)).toBe(3);
    expect(bytes.length % 32).toBe(0);
    expect(bytes.length).toBeLessThan(500_000);
  });

  it('writes the key by which Ollama identifies embedding models', () => {
    expect(tinyEmbeddingGguf().includes('bert.pooling_type')).toBe(true);
  });

  it('depends only on the seed', () => {
    expect(tinyEmbeddingGguf(5).equals(tinyEmbeddingGguf(5))).toBe(true);
    expect(tinyEmbeddingGguf(5).equals(tinyEmbeddingGguf(6))).toBe(false);
  });
});
