import { readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import type { LocatedModel } from '../../../../builder/inputs/models/model.ts';
import {
  type Equipment,
  equip,
  everythingIn,
  refusalOf,
} from '../../../faulty-registry/equipment.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import {
  cutAfter,
  html,
  inTurn,
  redirect,
  serve,
  short,
  status,
  wrongBytes,
} from '../../../faulty-server/faults.ts';
import { type ModelFiles, tinyModel } from '../../../stand-ins/engine/models/put-tiny-model.ts';
import { ModelRegistry } from '../../../stand-ins/model-registry/model-registry.ts';
import { smallModel } from './fixture.ts';

const tiny = tinyModel();
const locked = digestOf(tiny.manifest);
/** The blob with the weights, the only large one. */
const [weights = locked] = [...tiny.blobs.keys()] as Digest[];
const weightBytes = tiny.blobs.get(weights) ?? Buffer.alloc(0);

let registry: ModelRegistry;
let tools: Equipment;
beforeEach(async () => {
  registry = await ModelRegistry.start();
  registry.push('library/tiny:1b', tiny);
  tools = await equip();
});
afterEach(async () => {
  await tools.close();
  await registry.close();
});

const name = () => `${registry.host}/library/tiny:1b`;
const locate = (digest = locked) => tools.models.registry.locate(name(), digest);
const fetchAll = async ({ blobs, fetch }: LocatedModel) => {
  for (const blob of blobs) await fetch(blob);
};

describe('a model in a registry', () => {
  it('resolves the tag of a model in a registry to the manifest digest and the total size', async () => {
    const sizes = [...tiny.blobs.values()].map(({ length }) => length);
    expect(await tools.models.registry.resolve(name())).toEqual({
      manifest: locked,
      size: sizes.reduce((sum, size) => sum + size, 0),
    });
  });

  it('requests a model from a registry like Ollama, and downloads no blob for the lock', async () => {
    await tools.models.registry.resolve(name());
    expect(registry.paths()).toContain('GET /v2/library/tiny/manifests/1b');
    expect(registry.paths().filter((path) => path.includes('/blobs/'))).toEqual([]);
    expect(registry.contentPaths()).toEqual([]);
  });

  it('keeps the bytes of its manifest, and follows redirects of blobs', async () => {
    const located = await locate();
    expect(located.manifest.bytes).toEqual(tiny.manifest);
    expect(located.made).toEqual([]);
    await fetchAll(located);
    for (const [digest, bytes] of tiny.blobs) {
      expect(await readFile(tools.store.path(digest as Digest))).toEqual(bytes);
    }
    expect(registry.contentPaths()).toHaveLength(tiny.blobs.size);
  });

  it('requests a model from a registry once, and then reads it from the store', async () => {
    await fetchAll(await locate());
    const before = [registry.paths().length, registry.contentPaths().length];
    tools = await tools.again();
    await fetchAll(await locate());
    expect([registry.paths().length, registry.contentPaths().length]).toEqual(before);
  });

  it('may be in another registry, in capitals', async () => {
    registry.push('Qwen/Qwen3-GGUF:Q8_0', tiny);
    const asked = `${registry.host}/Qwen/Qwen3-GGUF:Q8_0`;
    expect(await tools.models.registry.resolve(asked)).toMatchObject({ manifest: locked });
  });
});

describe('a missing model', () => {
  it('reports a missing model with its name and its registry', async () => {
    const asked = `${registry.host}/library/tiny:70b`;
    const error = await refusalOf(tools.models.registry.resolve(asked));
    expect(error).toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: `${registry.host} does not have the model ${asked}`,
    });
  });

  it.each([
    ['a container image', JSON.stringify({ schemaVersion: 2, manifests: [] })],
    ['no JSON', 'qwen3'],
  ])('reports a missing model if %s has the name', async (_, text) => {
    registry.fault('/v2/library/tiny/manifests/1b', serve(Buffer.from(text), { type: 'x/y' }));
    const error = await refusalOf(tools.models.registry.resolve(name()));
    expect(error.code).toBe('MODEL_MANIFEST');
  });

  it('reports a protocol error if a filter responds instead of the registry of models', async () => {
    registry.fault('/v2/library/tiny/manifests/1b', html());
    expect((await refusalOf(tools.models.registry.resolve(name()))).code).toBe('REGISTRY_PROTOCOL');
  });

  it('reports a model in a registry that no server can run', async () => {
    registry.push('library/tiny:mlx', smallModel({ tensor: 'one' }));
    const asked = `${registry.host}/library/tiny:mlx`;
    expect((await refusalOf(tools.models.registry.resolve(asked))).code).toBe('MODEL_FORMAT');
  });
});

describe('a model whose tag moved', () => {
  const newer = tinyModel(2);

  it('rejects a model whose tag moved, and prints both digests', async () => {
    registry.push('library/tiny:1b', newer);
    const error = await refusalOf(locate());
    expect(error).toMatchObject({
      code: 'LOCK_DRIFT',
      hint: expect.stringContaining(`landfall lock --update ${name()}`),
      problems: [{ message: `locked ${locked}, found ${digestOf(newer.manifest)}` }],
    });
  });

  it('builds a model whose tag moved if the registry still has the old digest', async () => {
    const other = await ModelRegistry.start({ digests: true });
    other.push('library/tiny:1b', tiny);
    other.push('library/tiny:1b', newer);
    const located = await tools.models.registry.locate(`${other.host}/library/tiny:1b`, locked);
    expect(located.manifest.bytes).toEqual(tiny.manifest);
    await fetchAll(located);
    await other.close();
  });

  it('builds a model whose tag moved from a store with the old manifest', async () => {
    await locate();
    registry.push('library/tiny:1b', newer);
    expect((await locate()).manifest.bytes).toEqual(tiny.manifest);
  });
});

describe('a blob of a model', () => {
  it('resumes the download of a model blob after a lost connection', async () => {
    const cut = inTurn(cutAfter(200_000, weightBytes), serve(weightBytes));
    registry.faultOf(weights, cut);
    await fetchAll(await locate());
    expect(await readFile(tools.store.path(weights))).toEqual(weightBytes);
    expect(tools.statistics.fetched).toBeLessThan(weightBytes.length + 10_000);
  });

  it('resumes the download of a model blob in the next build', async () => {
    registry.faultOf(weights, inTurn(cutAfter(200_000, weightBytes), status(404)));
    await refusalOf(locate().then(fetchAll));
    registry.faultOf(weights, serve(weightBytes));
    tools = await tools.again();
    await fetchAll(await locate());
    expect(tools.statistics.fetched).toBeLessThan(weightBytes.length);
    expect(await readFile(tools.store.path(weights))).toEqual(weightBytes);
  });

  it.each([
    ['other bytes', wrongBytes(weightBytes), 'BLOB_DIGEST'],
    ['a truncated body', short(1000, weightBytes), 'BLOB_SIZE'],
    ['a rejected signed URL', status(403), 'HTTP_STATUS'],
  ])('rejects a model blob with %s, and keeps it out of the store', async (_, fault, code) => {
    registry.faultOf(weights, fault);
    const error = await refusalOf(locate().then(fetchAll));
    expect(error.code).toBe(code);
    expect(everythingIn(error)).not.toContain('X-Amz-Signature');
    await expect(readFile(tools.store.path(weights))).rejects.toThrow('ENOENT');
  });

  it('refuses to download a model blob after a redirect from https to http', async () => {
    const authority = new CertificateAuthority();
    const secure = await ModelRegistry.start({ tls: authority.issue() });
    secure.push('library/tiny:1b', tiny);
    const unreachable = '127.0.0.1:9';
    const mirrors = { [unreachable]: [secure.url('/').href] };
    tools = await tools.again({ ca: authority.cert, mirrors });
    const located = await tools.models.registry.locate(`${unreachable}/library/tiny:1b`, locked);
    for (const digest of tiny.blobs.keys()) {
      const plain = redirect(registry.url(`/v2/library/tiny/blobs/${digest}`), 307);
      secure.fault(`/v2/library/tiny/blobs/${digest}`, plain);
    }
    const { problems } = await refusalOf(fetchAll(located));
    expect(problems.map(({ message }) => message).join()).toContain('leads from https to http');
    expect(registry.paths()).toEqual([]);
    await secure.close();
  });
});

describe('a mirror of a registry of models', () => {
  let mirror: ModelRegistry;
  beforeEach(async () => {
    mirror = await ModelRegistry.start({ redirects: false });
    tools = await tools.again({ mirrors: { [registry.host]: [mirror.url('/').href] } });
  });
  afterEach(() => mirror.close());

  it('requests a model from a mirror first, and requires no redirect from it', async () => {
    mirror.push('library/tiny:1b', tiny);
    await fetchAll(await locate());
    expect(registry.paths()).toEqual([]);
    expect(mirror.contentPaths()).toEqual([]);
  });

  it('names the mirror for a missing model if the registry is unreachable', async () => {
    await registry.close();
    expect(await refusalOf(tools.models.registry.resolve(name()))).toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: `the mirror does not have the model ${name()}, and ${registry.host} is unreachable`,
      hint: expect.stringContaining('--mirror'),
    });
  });

  it('skips a mirror that does not have the model', async () => {
    await fetchAll(await locate());
    expect(tools.notes.join()).toContain(`mirror ${mirror.host} failed, trying the next source`);
  });

  it('cannot substitute another model for a locked name', async () => {
    const forged: ModelFiles = tinyModel(7);
    mirror.push('library/tiny:1b', forged);
    expect((await locate()).manifest.bytes).toEqual(tiny.manifest);
    expect(tools.notes.join()).toContain(`mirror ${mirror.host} failed, trying the next source`);
    registry.push('library/tiny:1b', tinyModel(8));
    tools = await tools.again();
    await rm(tools.store.path(locked));
    expect((await refusalOf(locate())).code).toBe('LOCK_DRIFT');
  });
});
