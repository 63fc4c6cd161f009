import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import { assembleImage } from '../../../../builder/bundle/assemble/assemble.ts';
import { resolveImage } from '../../../../builder/inputs/sources/resolve-image.ts';
import type { PlatformImage } from '../../../../builder/inputs/sources/source.ts';
import { type Equipment, equip, refusalOf } from '../../../faulty-registry/equipment.ts';
import {
  type ImageWish,
  makeSingle,
  named,
  type TestPlatformImage,
} from '../../../faulty-registry/make-image.ts';

const script = Buffer.from('console.log("a program");\n');
const baseIndex = digestOf('the index of the base');

let tools: Equipment;
let fetched: Digest[];
beforeEach(async () => {
  tools = await equip();
  fetched = [];
});
afterEach(() => tools.close());

function platformImage(
  { manifest, config, layers }: TestPlatformImage,
  platform: PlatformImage['platform'] = 'linux/amd64',
): PlatformImage {
  const documents = [manifest, config].map((blob) => ({
    descriptor: named(blob),
    bytes: blob.bytes,
  }));
  const [first, second] = documents;
  if (!first || !second) throw new Error('an image has two documents');
  return { platform, manifest: first, config: second, layers: layers.map(named) };
}

function assemble(image: PlatformImage, program = script) {
  const source = { fetch: async ({ digest }: { digest: Digest }) => void fetched.push(digest) };
  return assembleImage(
    { reference: 'node:1', index: baseIndex, image, source, program: 'relay', script: program },
    tools.store,
  );
}

const base = (wish: ImageWish = {}) => platformImage(makeSingle(wish));
const jsonOf = ({ bytes }: { bytes: Buffer }) => JSON.parse(bytes.toString());

describe('an assembled image', () => {
  it('can be read by the builder as an image of the platform', async () => {
    for (const wish of [
      {},
      { family: 'docker' },
      { compression: 'zstd' },
      { compression: 'none' },
    ] as const) {
      const { index, image } = await assemble(base(wish));
      const read = await resolveImage(index, ['linux/amd64'], {
        name: 'assembled',
        manifest: async ({ digest }) => {
          expect(digest).toBe(image.manifest.descriptor.digest);
          return image.manifest;
        },
        config: async () => image.config,
      });
      expect(read.platforms[0]?.layers).toEqual(image.layers);
    }
  });

  it('assembles an image from the layers of the base, and the program in a layer above', async () => {
    const below = base();
    const { image } = await assemble(below);
    expect(image.layers.slice(0, -1)).toEqual(below.layers);
    const { rootfs, history } = jsonOf(image.config);
    expect(rootfs.diff_ids.slice(0, -1)).toEqual(jsonOf(below.config).rootfs.diff_ids);
    expect(rootfs.diff_ids.at(-1)).toBe(image.layers.at(-1)?.digest);
    expect(history).toBeUndefined();
  });

  it('consists of OCI documents only, also with a base of Docker media types', async () => {
    const below = base({ family: 'docker' });
    const { image } = await assemble(below);
    expect(image.layers.map(({ mediaType }) => mediaType)).toEqual([
      'application/vnd.oci.image.layer.v1.tar+gzip',
      'application/vnd.oci.image.layer.v1.tar+gzip',
      'application/vnd.oci.image.layer.v1.tar',
    ]);
    expect(image.layers.slice(0, -1).map(({ digest }) => digest)).toEqual(
      below.layers.map(({ digest }) => digest),
    );
  });

  it('keeps the variables of the base, and no other runtime settings', async () => {
    const config = {
      Env: ['PATH=/usr/local/bin:/usr/bin', 'NODE_VERSION=24'],
      User: 'root',
      Entrypoint: ['docker-entrypoint.sh'],
      Cmd: ['node'],
      Volumes: { '/data': {} },
    };
    const { image } = await assemble(
      base({
        config: (plain) => ({ ...plain, config, created: '2026-01-02T03:04:05Z', history: [{}] }),
      }),
    );
    const made = jsonOf(image.config);
    expect(made.config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['node', '/opt/landfall/relay.mjs'],
      Cmd: [],
      ExposedPorts: { '8080/tcp': {} },
    });
    expect(made.config.Env.slice(0, 2)).toEqual(config.Env);
    expect(made.config).not.toHaveProperty('Volumes');
    expect(made.created).toBe('2026-01-02T03:04:05Z');
    expect(made.history).toHaveLength(2);
  });

  it('annotates an assembled image with its base', async () => {
    const { image } = await assemble(base());
    expect(jsonOf(image.manifest).annotations).toEqual({
      'org.opencontainers.image.base.name': 'node:1',
      'org.opencontainers.image.base.digest': baseIndex,
    });
  });

  it('assembles a reproducible image that differs for another program or base', async () => {
    const digestOfMade = async (...args: Parameters<typeof assemble>) =>
      (await assemble(...args)).index.descriptor.digest;
    const digests = [
      await digestOfMade(base()),
      await digestOfMade(base()),
      await digestOfMade(base(), Buffer.from('another program')),
      await digestOfMade(base({ layers: ['another base'] })),
    ];
    expect(digests[0]).toBe(digests[1]);
    expect(new Set(digests).size).toBe(3);
  });

  it('gets its own layer from memory, and the others from the source of the base', async () => {
    const { image, source } = await assemble(base());
    for (const layer of image.layers) await source.fetch(layer);
    const own = image.layers.at(-1);
    if (!own) throw new Error('there is no layer');
    expect(fetched).toEqual(image.layers.slice(0, -1).map(({ digest }) => digest));
    expect(await tools.store.has(own)).toBe(true);
  });

  it('contains one more file, of root and world-readable', async () => {
    const { image, source } = await assemble(base());
    const own = image.layers.at(-1);
    if (!own) throw new Error('there is no layer');
    await source.fetch(own);
    const archive = tools.store.path(own.digest);
    const listed = execFileSync('tar', ['--numeric-owner', '-tvf', archive], {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' },
    });
    expect(listed.replaceAll(/ +/g, ' ').trim().split('\n')).toEqual([
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 opt/',
      'drwxr-xr-x 0/0 0 1970-01-01 00:00 opt/landfall/',
      `-rw-r--r-- 0/0 ${script.length} 1970-01-01 00:00 opt/landfall/relay.mjs`,
    ]);
    execFileSync('tar', ['-xf', archive, '-C', tools.folder]);
    expect(await readFile(join(tools.folder, 'opt/landfall/relay.mjs'))).toEqual(script);
  });

  it('rejects an image if the configuration of the base is invalid', async () => {
    const broken = base({ config: (plain) => ({ ...plain, config: { Env: 'PATH=/bin' } }) });
    expect((await refusalOf(assemble(broken))).code).toBe('IMAGE_MANIFEST');
  });
});
