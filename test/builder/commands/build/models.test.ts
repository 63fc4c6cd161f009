import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { digestOf, sha256Hex } from '#contract/trust/digest.ts';
import { buildCommand } from '../../../../builder/commands/build.ts';
import { inspectCommand } from '../../../../builder/commands/inspect.ts';
import { keygenCommand } from '../../../../builder/commands/keygen.ts';
import { refusalOf } from '../../../faulty-registry/equipment.ts';
import { wrongBytes } from '../../../faulty-server/faults.ts';
import { tinyGguf } from '../../../stand-ins/engine/gguf/tiny-gguf.ts';
import { tinyModel } from '../../../stand-ins/engine/models/put-tiny-model.ts';
import { ModelBuildRig } from '../model-build-rig.ts';

// Each build bundles the server program again, which is slow.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/** Plain model names: the registry on loopback is a mirror of Ollama's registry. */
const tiny = tinyModel();
const gguf = tinyGguf(9);
const template = '{{ .Prompt }}';

let rig: ModelBuildRig;
beforeAll(async () => {
  rig = await ModelBuildRig.start(gguf);
  rig.models.push('library/tiny:1b', tiny);
  const url = rig.web.url('/mine.gguf').href;
  await rig.writeAppliance(
    'appliance.yaml',
    'tiny:1b',
    '{ name: "mine:1b", gguf: ./mine.gguf }',
    `{ name: "again:1b", gguf: "${url}", template: "${template}" }`,
  );
});
afterAll(() => rig.close());

async function membersOf(output: string): Promise<Map<string, Buffer>> {
  const members = new Map<string, Buffer>();
  await rig.verify(output, async ({ path }, content) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(Buffer.from(chunk));
    members.set(path, Buffer.concat(chunks));
  });
  return members;
}

describe('landfall lock', () => {
  it('locks models from a registry, a path and a URL', async () => {
    expect(await rig.lock()).toContain('1 images, 3 models');
    const lock = await readFile(rig.path('appliance.lock.yaml'), 'utf8');
    expect(lock).toContain(`manifest: ${digestOf(tiny.manifest)}`);
    expect(lock.match(new RegExp(`sha256: ${sha256Hex(gguf)}`, 'g'))).toHaveLength(2);
    expect(rig.models.contentPaths()).toEqual([]);
  });
});

describe('a full bundle', () => {
  it('contains every model, each blob under its digest', async () => {
    const said = await rig.build('full', ['--full', '--frozen']);
    expect(said).toMatch(/with tiny:1b +model +\d/);
    const members = await membersOf('full');
    const { models: named } = await rig.release('full');
    expect(named.map(({ name }) => name)).toEqual(['tiny:1b', 'mine:1b', 'again:1b']);
    for (const { manifest, size } of named) {
      const bytes = members.get(`models/sha256/${manifest?.slice(7)}`);
      const { config, layers } = JSON.parse(String(bytes));
      const blobs: Array<{ digest: string; size: number }> = [config, ...layers];
      expect(blobs.reduce((sum, each) => sum + each.size, 0)).toBe(size);
      for (const blob of blobs) {
        expect(members.get(`models/sha256/${blob.digest.slice(7)}`)?.length).toBe(blob.size);
      }
    }
  });

  it('keeps the manifest of a registry byte for byte', async () => {
    const members = await membersOf('full');
    expect(members.get(`models/sha256/${sha256Hex(tiny.manifest)}`)).toEqual(tiny.manifest);
  });

  it('contains shared weights once, and the template of one model', async () => {
    const { files } = await rig.release('full');
    expect(files.filter(({ sha256 }) => sha256 === sha256Hex(gguf))).toHaveLength(1);
    expect(files.filter(({ sha256 }) => sha256 === sha256Hex(template))).toHaveLength(1);
  });

  it('separates models from images', async () => {
    const { files } = await rig.release('full');
    const folders = new Set(files.map(({ path }) => path.split('/')[0]));
    expect(folders).toContain('blobs');
    expect(folders).toContain('models');
    expect(files.filter(({ path }) => path === `blobs/sha256/${sha256Hex(gguf)}`)).toEqual([]);
  });

  it('builds a full bundle reproducibly from another store in another folder', async () => {
    await rig.build('again', ['--full', '--frozen'], 'other-store');
    expect(await rig.release('again')).toEqual(await rig.release('full'));
  });

  it('lists a full bundle in landfall inspect with its models and their sizes', async () => {
    const text = await rig.run(inspectCommand, rig.bundle('full'));
    expect(text).toMatch(/ {2}tiny:1b +sha256:[0-9a-f]{12}… +\d+ kB {2}in the bundle/);
    expect(text).toMatch(/ {2}mine:1b .*in the bundle/);
  });

  it('builds a full bundle from the store without network once it is complete', async () => {
    const before = [rig.models.paths().length, rig.web.seen().length];
    await rig.build('offline', ['--full', '--frozen']);
    expect([rig.models.paths().length, rig.web.seen().length]).toEqual(before);
  });

  it('may leave a model out', async () => {
    await rig.build('less', ['--full', '--without', 'tiny:1b', '--without', 'again:1b']);
    const { models: named } = await rig.release('less');
    expect(named.map(({ name }) => name)).toEqual(['mine:1b']);
    await membersOf('less');
  });
});

describe('a thin bundle', () => {
  it('contains models that no registry has, and lists the others by digest', async () => {
    await rig.build('thin', ['--thin']);
    const members = await membersOf('thin');
    expect(members.has(`models/sha256/${sha256Hex(tiny.manifest)}`)).toBe(false);
    expect(members.has(`models/sha256/${sha256Hex(gguf)}`)).toBe(true);
    const { models: named } = await rig.release('thin');
    expect(named[0]).toMatchObject({ name: 'tiny:1b', manifest: digestOf(tiny.manifest) });
    expect(await rig.run(inspectCommand, rig.bundle('thin'))).toMatch(
      / {2}tiny:1b .*pulled by the server/,
    );
  });
});

describe('the default key of the user', () => {
  const unnamed = ['--frozen', '--output', 'own'];

  it('signs if no key is given', async () => {
    await rig.run(keygenCommand);
    await rig.run(buildCommand, ...unnamed, '--store', rig.path('store'));
    expect(await readFile(rig.path('own/release.pub'), 'utf8')).toBe(
      await readFile(rig.path('.config/landfall/keys/release.pub'), 'utf8'),
    );
  });

  it('requires the default key of the user if it does not exist yet', async () => {
    await rm(rig.path('.config'), { recursive: true });
    await expect(rig.run(buildCommand, ...unnamed)).rejects.toMatchObject({
      code: 'KEY_MISSING',
      message: expect.stringContaining('.config/landfall/keys/release.key'),
      hint: expect.stringContaining('landfall keygen'),
    });
  });
});

describe('a rejected build', () => {
  const refused = (config: string, store: string) =>
    refusalOf(rig.build('refused', ['--full', '--config', config], store));

  it('reports a blob that differs from its manifest, and leaves no bundle', async () => {
    await rig.writeAppliance('wrong.yaml', `"${rig.models.host}/library/tiny:1b"`);
    await rig.lock('wrong.yaml');
    const [weights = '', bytes = Buffer.alloc(0)] = [...tiny.blobs][0] ?? [];
    rig.models.faultOf(weights, wrongBytes(bytes));
    expect((await refused('wrong.yaml', 'third-store')).code).toBe('BLOB_DIGEST');
    await expect(readFile(rig.bundle('refused'))).rejects.toThrow('ENOENT');
  });

  it('reports a file that was changed after it was locked', async () => {
    await rig.writeAppliance('changed.yaml', '{ name: "mine:1b", gguf: mine.gguf }');
    await rig.lock('changed.yaml');
    await writeFile(rig.path('mine.gguf'), tinyGguf(10));
    expect(await refused('changed.yaml', 'fourth-store')).toMatchObject({
      code: 'BLOB_DIGEST',
      message: expect.stringContaining('mine.gguf does not have the expected SHA-256'),
    });
  });

  it('reports an unresolved model and how to leave it out', async () => {
    await rig.writeAppliance('unknown.yaml', `"${rig.models.host}/library/tiny:1b"`);
    await rig.lock('unknown.yaml');
    const path = rig.path('unknown.lock.yaml');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(digestOf(tiny.manifest), 'unresolved'));
    expect(await refused('unknown.yaml', 'store')).toMatchObject({
      code: 'LOCK_UNRESOLVED',
      hint: expect.stringContaining('--without'),
    });
  });
});
