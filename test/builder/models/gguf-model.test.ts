import { describe, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { type GgufInput, ggufModel } from '../../../builder/models/gguf-model.ts';
import { readModelManifest } from '../../../builder/models/model-manifest.ts';

const parts: GgufInput = {
  name: 'mine:1b',
  gguf: { architecture: 'llama', fileType: 'Q4_K_M', parameters: '1.2B' },
  weights: { digest: digestOf('weights'), size: 7 },
};
const params = '{"num_predict":4096}';
const template = '{{ .System }}\n{{ .Prompt }}';

describe('a model from a GGUF file', () => {
  it('has a manifest like one in a registry', () => {
    const { manifest, size, blobs, made } = ggufModel({ ...parts, template });
    const read = readModelManifest(manifest.bytes, 'mine:1b');
    expect(read.size).toBe(size);
    expect(read.blobs.map(({ digest }) => digest)).toEqual([
      made[0]?.descriptor.digest,
      blobs[0]?.digest,
      made[1]?.descriptor.digest,
      made[2]?.descriptor.digest,
    ]);
  });

  it('has a configuration with everything that Ollama shows', () => {
    const [config] = ggufModel(parts).made;
    expect(JSON.parse(String(config?.bytes))).toEqual({
      model_format: 'gguf',
      model_family: 'llama',
      model_families: ['llama'],
      model_type: '1.2B',
      file_type: 'Q4_K_M',
      architecture: 'amd64',
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: [digestOf('weights'), digestOf(params)] },
    });
  });

  it('has its template as a layer, byte for byte', () => {
    const { made, manifest } = ggufModel({ ...parts, template });
    expect(String(made[1]?.bytes)).toBe(template);
    const { layers } = JSON.parse(String(manifest.bytes));
    expect(layers.map(({ mediaType }: { mediaType: string }) => mediaType)).toEqual([
      'application/vnd.ollama.image.model',
      'application/vnd.ollama.image.template',
      'application/vnd.ollama.image.params',
    ]);
  });

  it('has a default token limit, so that answers end', () => {
    const { made } = ggufModel(parts);
    expect(made[1]?.descriptor.mediaType).toBe('application/vnd.ollama.image.params');
    expect(String(made[1]?.bytes)).toBe(params);
  });

  it('is deterministic: its digest is in every release with it', () => {
    expect(ggufModel(parts).manifest.descriptor.digest).toBe(
      'sha256:79feb4c7c573c4bdc7c9141be9114dfdae4a1d745d39f4242d0f7757b67464bb',
    );
    expect(ggufModel({ ...parts, template }).manifest).not.toEqual(ggufModel(parts).manifest);
  });

  it('does not contain its name: two names of one file share all blobs', () => {
    expect(ggufModel({ ...parts, name: 'other:1b' }).manifest).toEqual(ggufModel(parts).manifest);
  });
});
