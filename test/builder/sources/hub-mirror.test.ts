import { describe, expect, it } from 'vitest';
import { throughHubMirror } from '../../../builder/sources/hub-mirror.ts';

const file = new URL('https://huggingface.co/Qwen/Qwen3-0.6B-GGUF/resolve/main/q8.gguf?download=1');

describe('a file of the model hub', () => {
  it.each([
    ['https://hub.example.cn', 'https://hub.example.cn/Qwen/'],
    ['https://hub.example.cn/', 'https://hub.example.cn/Qwen/'],
    ['http://10.0.0.2:8080/hf/', 'http://10.0.0.2:8080/hf/Qwen/'],
  ])('is fetched from the mirror %s', (HF_ENDPOINT, begin) => {
    const { href } = throughHubMirror(file, { HF_ENDPOINT });
    expect(href).toBe(`${begin}Qwen3-0.6B-GGUF/resolve/main/q8.gguf?download=1`);
  });

  it.each([{}, { HF_ENDPOINT: '' }])('is downloaded from the hub without a mirror', (env) => {
    expect(throughHubMirror(file, env)).toBe(file);
  });

  it.each(['hub.example.cn', 'ftp://hub.example.cn', 'not a url'])(
    'is rejected with %s, which is not a URL',
    (HF_ENDPOINT) => {
      expect(() => throughHubMirror(file, { HF_ENDPOINT })).toThrow('HF_ENDPOINT');
    },
  );
});

describe('a file of another host', () => {
  it('is not redirected to the mirror', () => {
    const other = new URL('https://example.com/huggingface.co/q8.gguf');
    expect(throughHubMirror(other, { HF_ENDPOINT: 'https://hub.example.cn' })).toBe(other);
  });
});
