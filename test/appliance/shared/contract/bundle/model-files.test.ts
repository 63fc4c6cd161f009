import { describe, expect, it } from 'vitest';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import { carriesModel, checkModels } from '#contract/bundle/model-files.ts';
import { makeRelease } from '../../../../simulator/bundle.ts';

const hex = 'a'.repeat(64);
const digest = `sha256:${hex}` as const;
const model = { name: 'qwen3:8b', role: 'chat' as const, manifest: digest, size: 5_200_000_000 };
const file = { path: modelBlobPath(digest), size: 1, sha256: hex, offset: 512, executable: false };

describe('a model of a release', () => {
  it('finds a model in the bundle when its manifest is among the files', () => {
    expect(carriesModel({ files: [file] }, model)).toBe(true);
  });

  it('leaves a model to the server if it is missing or not resolved', () => {
    expect(carriesModel({ files: [] }, model)).toBe(false);
    expect(carriesModel({ files: [file] }, { manifest: null })).toBe(false);
    const image = { ...file, path: `blobs/sha256/${hex}` };
    expect(carriesModel({ files: [image] }, model)).toBe(false);
  });
});

describe('the models of a release', () => {
  const judge = (change: object) => () => checkModels({ ...makeRelease([]), ...change });

  it('accepts any list of models in a thin bundle without models', () => {
    expect(judge({ models: [model, { ...model, name: 'mine:1b', manifest: null }] })).not.toThrow();
  });

  it('requires all models of a release in a full bundle', () => {
    expect(judge({ kind: 'full', models: [model], files: [file] })).not.toThrow();
    expect(judge({ kind: 'full', models: [model] })).toThrow('does not contain the model qwen3:8b');
  });

  it('rejects a model file that is not named by its content', () => {
    const other = { ...file, sha256: 'b'.repeat(64) };
    expect(judge({ models: [model], files: [other] })).toThrow(`${file.path} is not named by`);
  });
});
