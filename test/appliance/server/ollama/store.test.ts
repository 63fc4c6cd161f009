import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  blobsOfModel,
  engineStore,
  needEngineStore,
  storedModel,
} from '../../../../appliance/server/ollama/store.ts';
import {
  blobOfHost,
  bundledModel,
  manifestOfHost,
  serverWith,
  store,
} from '../../stages/models/bundled-model.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const tiny = bundledModel('tiny:1b');
const name = { host: 'registry.ollama.ai', namespace: 'library', model: 'tiny', tag: '1b' };

function serverThatHas() {
  const { host, put } = serverWith([tiny]);
  put(manifestOfHost('tiny:1b'), tiny.manifest);
  for (const [digest, bytes] of tiny.blobs) put(blobOfHost(digest), bytes);
  return host;
}

describe("Ollama's store", () => {
  it('finds the store of Ollama in the Docker volume', async () => {
    expect(await engineStore(serverThatHas())).toBe(`/${store}`);
  });

  it('returns no store if Docker prints no mount point', async () => {
    for (const answer of [1, '', 'garbage']) {
      const host = TemporaryHost.with({}, { 'docker volume inspect': answer });
      expect(await engineStore(host)).toBeUndefined();
      await expect(needEngineStore(host)).rejects.toMatchObject({ code: 'STACK_UNHEALTHY' });
    }
  });
});

describe('a model in the store', () => {
  it('returns the digest of the manifest of a stored model', async () => {
    const { manifest } = tiny.model;
    expect(await storedModel(serverThatHas(), store, name)).toBe(manifest);
  });

  // A compromised Ollama could block the program, or make it read another file.
  it('returns no model if the manifest is a link, a pipe or a folder', async () => {
    for (const replace of [
      (path: string) => symlinkSync(`${path}.real`, path),
      (path: string) => execFileSync('mkfifo', [path]),
      (path: string) => mkdirSync(path),
    ]) {
      const host = serverThatHas();
      const path = host.path(manifestOfHost('tiny:1b'));
      renameSync(path, `${path}.real`);
      replace(path);
      expect(await storedModel(host, store, name)).toBeUndefined();
    }
  });

  it('returns no model if a blob is a link', async () => {
    const host = serverThatHas();
    const [digest = ''] = tiny.blobs.keys();
    const path = host.path(blobOfHost(digest));
    renameSync(path, `${path}.real`);
    symlinkSync(`${path}.real`, path);
    expect(await storedModel(host, store, name)).toBeUndefined();
  });

  it('returns no model if the manifest is too large', async () => {
    const host = serverThatHas();
    appendFileSync(host.path(manifestOfHost('tiny:1b')), ' '.repeat(4 << 20));
    expect(await storedModel(host, store, name)).toBeUndefined();
  });

  it('returns no model if its folder is a link to a folder outside of the volume', async () => {
    const host = serverThatHas();
    const folder = host.path(store, 'manifests');
    renameSync(folder, host.path('elsewhere'));
    symlinkSync(host.path('elsewhere'), folder);
    expect(await storedModel(host, store, name)).toBeUndefined();
  });
});

describe('a manifest', () => {
  it('lists each blob once', () => {
    const layer = { digest: `sha256:${'a'.repeat(64)}`, size: 3 };
    const manifest = Buffer.from(JSON.stringify({ config: layer, layers: [layer, layer] }));
    expect(blobsOfModel(manifest)).toEqual([layer]);
  });

  it.each([
    'null',
    '{}',
    '{"config":{"digest":"sha256:../../etc","size":1},"layers":[]}',
    `{"config":{"digest":"sha256:${'a'.repeat(64)}","size":-1},"layers":[]}`,
  ])('rejects an invalid manifest of a model: %s', (text) =>
    expect(blobsOfModel(Buffer.from(text))).toBeUndefined(),
  );

  it('parses a manifest of a model without an exception for any input', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.json().map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(bytes, (bytes) => {
        expect(blobsOfModel(Buffer.from(bytes))).toBeUndefined();
      }),
    );
  });

  it('contains only valid digests', () => {
    const hex = fc.stringMatching(/^[0-9a-f]{64}$/);
    const good = hex.map((text) => `sha256:${text}`);
    const bad = fc.oneof(
      fc.string(),
      hex,
      good.map((text) => text.toUpperCase()),
    );
    const layer = (digest: fc.Arbitrary<string>) => fc.record({ digest, size: fc.nat() });
    fc.assert(
      fc.property(fc.array(layer(good), { minLength: 1 }), fc.option(layer(bad)), (all, other) => {
        const [config, ...layers] = all;
        const manifest = { config, layers: other ? [...layers, other] : layers };
        const blobs = blobsOfModel(Buffer.from(JSON.stringify(manifest)));
        const named = new Set(all.map(({ digest }) => digest));
        expect(blobs?.map(({ digest }) => digest)).toEqual(other ? undefined : [...named]);
      }),
    );
  });
});
