import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Docker from 'dockerode';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hexOf } from '#contract/trust/digest.ts';
import type { ImageSource, ResolvedImage } from '../../../builder/inputs/sources/source.ts';
import { type Equipment, equip, refusalOf } from '../../faulty-registry/equipment.ts';
import { registryAccount } from '../../setup/images/registry-account.ts';
import { needs } from '../needs.ts';

const both = ['linux/amd64', 'linux/arm64'] as const;
/** Two images for two platforms, one of each family of media types. */
const oci = 'library/nginx:1.30.7-alpine';
const docker = 'kalaksi/tinyproxy:1.7';

let tools: Equipment;

beforeEach(async () => {
  tools = await equip();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await tools.close();
});

/** Fetches an entire image, so that every byte is verified before it is stored. */
async function fetchAll(source: ImageSource, { platforms }: ResolvedImage): Promise<void> {
  const layers = platforms.flatMap((platform) => platform.layers);
  await Promise.all(layers.map((layer) => source.fetch(layer)));
  for (const layer of layers) expect(await tools.store.has(layer)).toBe(true);
}

const withRegistry = needs('registry', 'images');
withRegistry.describe('an image in a registry', () => {
  const { registry, images } = withRegistry;

  it.each([oci, docker])('%s is fetched as pushed, for both platforms', async (name) => {
    const source = tools.open(`${registry}/${name}`);
    const image = await source.resolve(both);
    await fetchAll(source, image);
    for (const { descriptor, bytes } of [image.index, ...image.platforms.map((p) => p.manifest)]) {
      const pushed = join(images, 'blobs', 'sha256', hexOf(descriptor.digest));
      expect(bytes).toEqual(await readFile(pushed));
    }
  });

  it('finds an image in a registry by the digest of its index, without the tag', async () => {
    const { index } = await tools.open(`${registry}/${oci}`).resolve(both);
    const pinned = `${registry}/library/nginx@${index.descriptor.digest}`;
    await tools.close();
    tools = await equip();
    expect((await tools.open(pinned).resolve(both)).index.bytes).toEqual(index.bytes);
  });

  it('can be fetched from a mirror of Docker Hub', async () => {
    tools = await tools.again({ mirrors: { 'docker.io': [`http://${registry}`] } });
    expect((await tools.open('nginx:1.30.7-alpine').resolve(both)).platforms).toHaveLength(2);
  });

  it.each([
    ['a tag', 'library/nginx:0.0.0'],
    ['a repository', 'library/nothing:1'],
    ['a digest', `library/nginx@sha256:${'0'.repeat(64)}`],
  ])('reports a missing image by name if the registry does not have %s', async (_, name) => {
    const error = await refusalOf(tools.open(`${registry}/${name}`).resolve(both));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
    expect(error.message).toContain(name);
  });

  it('rejects an image in a registry for a missing platform', async () => {
    const error = await refusalOf(tools.open(`${registry}/goacme/lego:v5.6.0`).resolve(both));
    expect(error.code).toBe('IMAGE_PLATFORM');
    expect(error.hint).toContain('linux/amd64');
  });

  it('rejects the digest of one platform as an image for two platforms', async () => {
    const { platforms } = await tools.open(`${registry}/${oci}`).resolve(both);
    const digest = platforms[0]?.manifest.descriptor.digest;
    const source = tools.open(`${registry}/library/nginx@${digest}`);
    expect((await refusalOf(source.resolve(both))).code).toBe('IMAGE_NOT_INDEX');
    expect((await source.resolve(['linux/amd64'])).index.descriptor.digest).toBe(digest);
  });
});

const withAccount = needs('registryAuth', 'images');
withAccount.describe('an image in a registry with authentication', () => {
  const { registryAuth: registry } = withAccount;

  async function logIn({ username, password }: { username: string; password: string }) {
    await mkdir(join(tools.folder, '.docker'));
    const auth = Buffer.from(`${username}:${password}`).toString('base64');
    const config = { auths: { [registry]: { auth } } };
    await writeFile(join(tools.folder, '.docker', 'config.json'), JSON.stringify(config));
  }

  it('fetches an image from a registry with the account', async () => {
    await logIn(registryAccount);
    const source = tools.open(`${registry}/${oci}`);
    await fetchAll(source, await source.resolve(both));
  });

  it('refuses to fetch an image without the account of the registry', async () => {
    const error = await refusalOf(tools.open(`${registry}/${oci}`).resolve(both));
    expect(error.code).toBe('REGISTRY_AUTH');
    expect(error.hint).toContain(`docker login ${registry}`);
  });

  it('rejects a wrong password for a registry without printing it', async () => {
    await logIn({ ...registryAccount, password: 'a-wrong-password' });
    const error = await refusalOf(tools.open(`${registry}/${oci}`).resolve(both));
    expect(error.code).toBe('REGISTRY_AUTH');
    expect(error.message + error.hint + error.stack).not.toContain('a-wrong-password');
  });
});

const withSkopeo = needs('registry', 'images', 'skopeo');
withSkopeo.describe('an image that skopeo copied', () => {
  const { registry, skopeo } = withSkopeo;

  const copy = (name: string, target: string, ...more: string[]) =>
    execa(
      skopeo,
      ['copy', '--src-tls-verify=false', ...more, `docker://${registry}/${name}`, target],
      { cwd: tools.folder },
    );

  it.each(['oci', 'oci-archive'])('whole into %s: is the image of the registry', async (kind) => {
    await copy(oci, `${kind}:copied:v1`, '--all');
    const source = tools.open(`${kind}:copied:v1`);
    const image = await source.resolve(both);
    await fetchAll(source, image);
    const { index } = await tools.open(`${registry}/${oci}`).resolve(both);
    expect(image.index.bytes).toEqual(index.bytes);
  });

  it('into docker-archive: has the configuration of the registry and plain layers', async () => {
    await copy(docker, 'docker-archive:copied.tar:team/app:1', '--override-arch', 'arm64');
    const source = tools.open('docker-archive:copied.tar:team/app:1');
    const image = await source.resolve(['linux/arm64']);
    await fetchAll(source, image);
    const original = await tools.open(`${registry}/${docker}`).resolve(['linux/arm64']);
    expect(image.platforms[0]?.config.bytes).toEqual(original.platforms[0]?.config.bytes);
    const digests = image.platforms[0]?.layers.map(({ digest }) => digest);
    const config = JSON.parse(image.platforms[0]?.config.bytes.toString() ?? '');
    expect(digests).toEqual(config.rootfs.diff_ids);
  });
});

const withEngine = needs('registry', 'images', 'engine', 'skopeo');
withEngine.describe('an image of Docker', () => {
  const { registry, engine: socket, skopeo } = withEngine;
  const name = `${registry}/${docker}`;

  it('reads an image from Docker as it was pulled, with identical bytes in every save', async () => {
    const engine = new Docker({ socketPath: socket });
    await pull(engine, name);
    vi.stubEnv('DOCKER_HOST', `unix://${socket}`);
    try {
      const source = tools.open(`docker-daemon:${name}`);
      const image = await source.resolve(['linux/amd64']);
      await fetchAll(source, image);
      const original = await tools.open(name).resolve(['linux/amd64']);
      expect(image.platforms[0]?.config.bytes).toEqual(original.platforms[0]?.config.bytes);

      tools = await tools.again();
      const again = await tools.open(`docker-daemon:${name}`).resolve(['linux/amd64']);
      expect(again.index.bytes).toEqual(image.index.bytes);

      const saved = join(tools.folder, 'saved.tar');
      await execa(skopeo, [
        ...['copy', '--src-daemon-host', `unix://${socket}`],
        ...[`docker-daemon:${name}`, `docker-archive:${saved}`],
      ]);
      const archived = await tools.open(`docker-archive:${saved}`).resolve(['linux/amd64']);
      expect(archived.index.bytes).toEqual(image.index.bytes);
    } finally {
      await engine.getImage(name).remove();
    }
  });

  it('reports an image that Docker does not have by name', async () => {
    vi.stubEnv('DOCKER_HOST', `unix://${socket}`);
    const error = await refusalOf(tools.open('docker-daemon:no/such:1').resolve(['linux/amd64']));
    expect(error.code).toBe('IMAGE_NOT_FOUND');
  });
});

async function pull(engine: Docker, name: string): Promise<void> {
  const progress = await engine.pull(name, { platform: 'linux/amd64' });
  await new Promise<void>((resolve, reject) => {
    engine.modem.followProgress(progress, (error) => (error ? reject(error) : resolve()));
  });
}
