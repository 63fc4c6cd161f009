import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { RegistryWriter } from '../images/registry-writer.ts';

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const accept = `${manifestType}, application/vnd.oci.image.index.v1+json`;
const layerBytes = 30_000_000;

/** An image in a registry: its repository and a tag. */
export interface Tagged {
  readonly repository: string;
  readonly tag: string;
}

/**
 * Pushes a copy of an image whose last layer has 30 MB of new content, like a small upstream
 * release.
 */
export async function pushChanged(registry: string, image: Tagged, tag: string): Promise<void> {
  const { repository } = image;
  const url = `http://${registry}/v2/${repository}`;
  const read = async (path: string) => {
    const { body } = await request(`${url}/${path}`, { headers: { accept } });
    return JSON.parse(await body.text());
  };
  const [{ digest }] = (await read(`manifests/${image.tag}`)).manifests;
  const manifest = await read(`manifests/${digest}`);
  const config = await read(`blobs/${manifest.config.digest}`);

  const content = randomBytes(layerBytes);
  const layer = gzipSync(content, { level: 1 });
  config.rootfs.diff_ids.splice(-1, 1, digestOf(content));
  const configBytes = Buffer.from(JSON.stringify(config));
  manifest.config = { ...manifest.config, digest: digestOf(configBytes), size: configBytes.length };
  manifest.layers.splice(-1, 1, {
    mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
    digest: digestOf(layer),
    size: layer.length,
  });

  const writer = new RegistryWriter(registry, repository);
  const folder = await mkdtemp(join(tmpdir(), 'landfall-changed-'));
  try {
    for (const bytes of [layer, configBytes]) {
      const file = join(folder, digestOf(bytes));
      await writeFile(file, bytes);
      await writer.putBlob({ digest: digestOf(bytes), size: bytes.length }, file);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  await writer.putManifest(tag, manifestType, Buffer.from(JSON.stringify(manifest)));
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
