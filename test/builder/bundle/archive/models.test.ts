import { describe, expect, it } from 'vitest';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import { modelBlobs } from '../../../../builder/bundle/archive/plan-bundle.ts';
import { selectModels } from '../../../../builder/bundle/archive/selection.ts';
import type { BlobPrefetch } from '../../../../builder/inputs/blobs/prefetch.ts';
import { unresolved } from '../../../../builder/inputs/lock/lock.ts';
import type { LocatedModel } from '../../../../builder/inputs/models/model.ts';
import { ggufModel } from '../../../../builder/inputs/models/model-sources.ts';
import { lockFor, someAppliance } from '../../inputs/lock/fixture.ts';

const appliance = someAppliance({
  models: [{ name: 'qwen3:8b' }, { name: 'mine:1b', gguf: 'mine.gguf', template: '{{ .Prompt }}' }],
});
const open = { manifest: unresolved, size: unresolved } as const;
const nothing = new Set<string>();

describe('the models of a bundle', () => {
  const select = (kind: 'thin' | 'full', without = nothing) =>
    selectModels(appliance, lockFor(appliance), kind, without).map(({ name, carried }) => [
      name,
      carried,
    ]);

  it('puts all models into a full bundle', () => {
    expect(select('full')).toEqual([
      ['qwen3:8b', true],
      ['mine:1b', true],
    ]);
  });

  it('leaves models for the server to pull in a thin bundle, unless no registry has them', () => {
    expect(select('thin')).toEqual([
      ['qwen3:8b', false],
      ['mine:1b', true],
    ]);
  });

  it('exclude those that the user leaves out', () => {
    expect(select('full', new Set(['qwen3:8b']))).toEqual([['mine:1b', true]]);
  });

  it('may be unresolved in a thin bundle', () => {
    const lock = lockFor(appliance);
    lock.models['qwen3:8b'] = open;
    expect(selectModels(appliance, lock, 'thin', nothing)).toHaveLength(2);
  });

  it('rejects unresolved models in a full bundle, with their names and a hint', () => {
    const lock = lockFor(appliance);
    lock.models['qwen3:8b'] = open;
    lock.models['mine:1b'] = { gguf: 'mine.gguf', sha256: unresolved, size: unresolved };
    expect(() => selectModels(appliance, lock, 'full', nothing)).toThrow(
      expect.objectContaining({
        code: 'LOCK_UNRESOLVED',
        message: 'models are not locked: qwen3:8b, mine:1b',
        hint: expect.stringContaining('--without qwen3:8b'),
      }),
    );
  });

  it('rejects models that are GGUF files without a lock', () => {
    const lock = lockFor(appliance);
    lock.models['mine:1b'] = { gguf: 'mine.gguf', sha256: unresolved, size: unresolved };
    expect(() => selectModels(appliance, lock, 'thin', nothing)).toThrow(
      'models are not locked: mine:1b',
    );
  });
});

describe('the files of the models in a bundle', () => {
  const gguf = { architecture: 'llama', fileType: 'F32', parameters: '1K' };
  const model = (name: string, template?: string) =>
    ggufModel({ name, gguf, weights: { digest: digestOf('weights'), size: 7 }, template });
  const filesOf = (...models: LocatedModel[]) => {
    const begun: Digest[] = [];
    const prefetch = { begin: (digest: Digest) => void begun.push(digest) };
    const entries = modelBlobs(models, prefetch as unknown as BlobPrefetch);
    return { entries, begun };
  };

  it('names the files of the models by their digests, documents first', () => {
    const one = model('one:1b', 'text');
    const { entries } = filesOf(one);
    expect(entries.map(({ path }) => path)).toEqual(
      [one.manifest, ...one.made]
        .map(({ descriptor }) => descriptor.digest)
        .concat(digestOf('weights'))
        .map((digest) => `models/sha256/${digest.slice(7)}`),
    );
  });

  it('stores the files of the models once, even if several models share them', () => {
    const { entries, begun } = filesOf(model('one:1b'), model('two:1b'), model('three:1b', 'text'));
    const paths = entries.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    // Two manifests and configurations, one template; all share the weights and the options.
    expect(paths).toHaveLength(4 + 1 + 2);
    expect(begun).toEqual([digestOf('weights')]);
  });
});
