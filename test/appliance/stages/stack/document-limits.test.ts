import { describe, expect, it } from 'vitest';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import {
  describeDocumentLimits,
  documentLimits,
} from '../../../../appliance/stages/stack/document-limits.ts';

const model = (size: number): ReleaseModel => ({
  ...{ name: 'embedding', role: 'embedding', size, manifest: null },
});
const [english, multilingual] = [model(46e6), model(640e6)];
const server = (cpus: number) => ({ memory: 8 * 1024 ** 3, cpus });

describe('the sizes of documents in the chat', () => {
  it.each([
    // Four CPUs: Ollama has three of them.
    ['two CPUs and a small model', english, server(2), { text: 7, file: 70 }],
    ['four CPUs and a model for every language', multilingual, server(4), { text: 0.7, file: 20 }],
    ['two CPUs and a model for every language', multilingual, server(2), { text: 0.5, file: 20 }],
    ['the model of the image', undefined, server(2), { text: 3, file: 30 }],
    ['an unknown number of CPUs', multilingual, server(0), { text: 0.2, file: 20 }],
    ['many CPUs', english, server(64), { text: 100, file: 100 }],
  ])('follow from the time to read a text: %s', (_kind, embedding, size, expected) => {
    expect(documentLimits(embedding, size)).toEqual(expected);
  });

  it('limits uploads as the gateway does on a server with a GPU', () => {
    const limits = documentLimits(multilingual, { ...server(4), gpu: 'nvidia' });
    expect(limits).toEqual({ text: 100, file: 100 });
  });

  it('describes the limits of documents in one line', () => {
    expect(describeDocumentLimits({ text: 0.7, file: 20 })).toBe(
      'Documents in the chat: texts up to 0.7 MB, other files up to 20 MB',
    );
  });
});
