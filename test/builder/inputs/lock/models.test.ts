import { describe, expect, it } from 'vitest';
import { digestOf } from '#contract/trust/digest.ts';
import { silentReporter } from '../../../../builder/base/progress/reporter.ts';
import { driftOf, lockInputs } from '../../../../builder/inputs/lock/inputs.ts';
import {
  type Lock,
  lockSchema,
  unresolved,
  unresolvedIn,
} from '../../../../builder/inputs/lock/lock.ts';
import { encodeLock } from '../../../../builder/inputs/lock/lock-file.ts';
import { resolveLock } from '../../../../builder/inputs/lock/resolve.ts';
import { lockFor, someAppliance } from './fixture.ts';

const sha256 = 'a'.repeat(64);
const file = { name: 'mine:1b', gguf: 'weights/mine.gguf' };
const appliance = someAppliance({ models: [{ name: 'qwen3:8b' }, file] });
const inputs = lockInputs(appliance);

async function resolve(previous?: Lock, update: string[] = [], wanted = inputs) {
  const asked: string[] = [];
  const onlyModels = { ...wanted, images: {}, files: {} };
  const { lock, failures } = await resolveLock(onlyModels, previous, new Set(update), {
    openSource: (image) => {
      throw new Error(`${image} is no model`);
    },
    measure: async (urls) => {
      throw new Error(`${urls} are no model`);
    },
    async resolveModel(name, manifest) {
      asked.push(`${name} ${manifest ?? ''}`.trim());
      return { manifest: manifest ?? digestOf(`${name} of today`), size: 5_000_000_000 };
    },
    async measureGguf(place, checksum) {
      asked.push(`${place} ${checksum ?? ''}`.trim());
      return { sha256: checksum ?? 'b'.repeat(64), size: 700 };
    },
    reporter: silentReporter,
    now: new Date(),
  });
  return { asked, models: lock.models, failures };
}

describe('locking the models of an appliance', () => {
  it('locks a manifest by its digest and a file by its checksum', async () => {
    const { asked, models } = await resolve();
    expect(asked).toEqual(['weights/mine.gguf', 'qwen3:8b']);
    expect(models).toEqual({
      'qwen3:8b': { manifest: digestOf('qwen3:8b of today'), size: 5_000_000_000 },
      'mine:1b': { gguf: 'weights/mine.gguf', sha256: 'b'.repeat(64), size: 700 },
    });
  });

  it('requires the checksum of the appliance', async () => {
    const wanted = lockInputs(someAppliance({ models: [{ ...file, sha256 }] }));
    const { asked, models } = await resolve(undefined, [], wanted);
    expect(asked).toEqual([`weights/mine.gguf ${sha256}`]);
    expect(models['mine:1b']).toMatchObject({ sha256 });
  });

  it('requests nothing that is locked, even if its tag has moved', async () => {
    const previous = lockFor(appliance);
    const { asked, models } = await resolve(previous);
    expect(asked).toEqual([]);
    expect(models).toEqual(previous.models);
  });

  it('requests a model that should be updated', async () => {
    const { asked } = await resolve(lockFor(appliance), ['qwen3:8b']);
    expect(asked).toEqual(['qwen3:8b']);
  });

  it('requests an unresolved model', async () => {
    const previous = structuredClone(lockFor(appliance));
    previous.models['qwen3:8b'] = { manifest: unresolved, size: unresolved };
    expect((await resolve(previous)).asked).toEqual(['qwen3:8b']);
  });

  it('requests a known manifest by digest if only its size is unknown', async () => {
    const previous = structuredClone(lockFor(appliance));
    const manifest = digestOf('qwen3:8b');
    previous.models['qwen3:8b'] = { manifest, size: unresolved };
    const { asked, models } = await resolve(previous);
    expect(asked).toEqual([`qwen3:8b ${manifest}`]);
    expect(models['qwen3:8b']).toEqual({ manifest, size: 5_000_000_000 });
  });

  it('requests a known file by checksum if only its size is unknown', async () => {
    const previous = structuredClone(lockFor(appliance));
    previous.models['mine:1b'] = { gguf: file.gguf, sha256, size: unresolved };
    const { asked, models } = await resolve(previous);
    expect(asked).toEqual([`weights/mine.gguf ${sha256}`]);
    expect(models['mine:1b']).toEqual({ gguf: file.gguf, sha256, size: 700 });
  });

  it('fails if a known size differs, and keeps the known values', async () => {
    const previous = structuredClone(lockFor(appliance));
    previous.models['qwen3:8b'] = { manifest: unresolved, size: 99 };
    const { models, failures } = await resolve(previous);
    expect(failures).toMatchObject([
      {
        name: 'qwen3:8b',
        error: {
          code: 'LOCK_DRIFT',
          problems: [{ message: 'size: locked 99, found 5000000000' }],
        },
      },
    ]);
    expect(models['qwen3:8b']).toEqual({ manifest: unresolved, size: 99 });
  });

  it.each([
    ['its file is from another source', { name: 'mine:1b', gguf: 'other.gguf' }],
    ['its checksum differs', { ...file, sha256 }],
    ['it is no longer a file', { name: 'mine:1b' }],
  ])('requests a model again if %s', async (_, changed) => {
    const wanted = lockInputs(someAppliance({ models: [{ name: 'qwen3:8b' }, changed] }));
    expect((await resolve(lockFor(appliance), [], wanted)).asked).toHaveLength(1);
  });

  it('removes a model that the appliance no longer lists', async () => {
    const wanted = lockInputs(someAppliance({ models: [file] }));
    expect(Object.keys((await resolve(lockFor(appliance), [], wanted)).models)).toEqual([
      'mine:1b',
    ]);
  });
});

describe('the drift of models', () => {
  const drift = (models: Parameters<typeof someAppliance>[0]['models'] = []) =>
    driftOf(lockInputs(someAppliance({ models })), lockFor(appliance));

  it('finds no drift of locked models in any order', () => {
    expect(drift([file, { name: 'qwen3:8b' }])).toEqual([]);
  });

  it('finds no drift if only the template of a model changed, which is not locked', () => {
    expect(drift([{ name: 'qwen3:8b' }, { ...file, template: '{{ .Prompt }}' }])).toEqual([]);
  });

  it('describes the drift of models in sentences', () => {
    expect(drift([{ name: 'qwen3:4b' }, { ...file, sha256 }])).toEqual([
      'qwen3:8b is locked, but not in the appliance',
      'mine:1b is locked from another source',
      'qwen3:4b is not locked',
    ]);
  });
});

describe('a lock with models', () => {
  it('lists unresolved values', () => {
    const lock = structuredClone(lockFor(appliance));
    lock.models['qwen3:8b'] = { manifest: unresolved, size: unresolved };
    expect(unresolvedIn(lock)).toEqual(['qwen3:8b: manifest', 'qwen3:8b: size']);
  });

  it('writes the models of a lock after the files, sorted by name', () => {
    const text = encodeLock(lockFor(appliance));
    const models = text.slice(text.indexOf('\nmodels:'));
    expect(models.split('\n')).toEqual([
      '',
      'models:',
      '  mine:1b:',
      '    gguf: weights/mine.gguf',
      expect.stringMatching(/^ {4}sha256: [0-9a-f]{64}$/),
      '    size: 100',
      '  qwen3:8b:',
      `    manifest: ${digestOf('qwen3:8b')}`,
      '    size: 100',
      '',
    ]);
  });

  it('may have no models, as in older versions', () => {
    const { models: _, ...old } = lockFor(appliance);
    expect(lockSchema.parse(old).models).toEqual({});
  });

  it.each([
    ['no digest', { manifest: 'latest', size: 1 }],
    ['a file without a checksum', { gguf: 'a.gguf', size: 1 }],
    ['a file and a manifest', { gguf: 'a.gguf', sha256, size: 1, manifest: digestOf('x') }],
    ['an unknown field', { manifest: digestOf('x'), size: 1, from: 'elsewhere' }],
  ])('rejects a lock of models with %s', (_, model) => {
    const lock = { ...lockFor(appliance), models: { 'qwen3:8b': model } };
    expect(lockSchema.safeParse(lock).success).toBe(false);
  });
});
