import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import tar from 'tar-stream';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import { blob, document, named, type TestImage, types } from '../../faulty-registry/make-image.ts';
import { epoch } from '../../setup/debian/mmdebstrap.ts';
import { type VariantName, variantFile, variants } from '../../stand-ins/ui/variants.ts';

/** Changes of the images in a release. */
export interface ReleaseChange {
  /** The chat UI becomes this variant. */
  readonly ui?: VariantName;
  /** The gateway gets a small layer without an effect. */
  readonly gateway?: true;
  /** Ollama gets such a layer, or one with which it does not start. */
  readonly engine?: keyof typeof engineVersions;
}

/** The upstream releases of these images. */
const engineVersions = { next: '0.35.2', broken: '0.35.3' };

/** An image with one more layer. */
export interface ChangedImage {
  readonly component: 'ui' | 'gateway' | 'engine';
  /** Its name in the appliance. */
  readonly image: string;
  /** The content of the layer, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Returns the images of a change, under the names of the next upstream releases. */
export function changedImages({ ui, gateway, engine }: ReleaseChange): ChangedImage[] {
  const changed: ChangedImage[] = [];
  if (ui) {
    const files = { [`app/backend/${variantFile}`]: JSON.stringify(variants[ui]) };
    changed.push({ component: 'ui', image: 'ghcr.io/open-webui/open-webui:v0.12.5', files });
  }
  if (gateway) {
    const files = { 'usr/share/nginx/changed': 'the next release\n' };
    changed.push({ component: 'gateway', image: 'nginx:1.30.8-alpine', files });
  }
  if (engine) {
    const file = engine === 'broken' ? 'usr/bin/ollama' : 'usr/share/ollama/changed';
    const image = `ollama/ollama:${engineVersions[engine]}`;
    changed.push({ component: 'engine', image, files: { [file]: `the release ${image}\n` } });
  }
  return changed;
}

/**
 * Adds a layer to the amd64 image of an OCI manifest. The same input gives the same bytes. The
 * result does not contain the layers below, which the store of the build has.
 * @param read returns the content of a blob
 */
export async function withLayer(
  base: Digest,
  files: ChangedImage['files'],
  read: (digest: Digest) => Promise<Buffer>,
): Promise<TestImage> {
  const below = JSON.parse(`${await read(base)}`);
  const { rootfs, history, ...settings } = JSON.parse(`${await read(below.config.digest)}`);
  const plain = await tarOf(files);
  const layer = blob(`${types.oci.layer}+gzip`, gzipSync(plain));
  const config = document(types.oci.config, {
    ...settings,
    rootfs: { ...rootfs, diff_ids: [...rootfs.diff_ids, digestOf(plain)] },
    history: [...history, { created_by: 'add a layer' }],
  });
  const layers = [...below.layers, named(layer)];
  const manifest = document(types.oci.manifest, { ...below, config: named(config), layers });
  const platform = { os: 'linux', architecture: 'amd64' };
  const index = document(types.oci.index, {
    ...{ schemaVersion: 2, mediaType: types.oci.index },
    manifests: [{ ...named(manifest), platform }],
  });
  const added = { manifest, config, layers: [layer], plainLayers: [plain] };
  return { index, platforms: new Map([['linux/amd64', added]]) };
}

async function tarOf(files: ChangedImage['files']): Promise<Buffer> {
  const pack = tar.pack();
  for (const [name, content] of Object.entries(files)) {
    pack.entry({ name, mtime: new Date(epoch * 1000) }, content);
  }
  pack.finalize();
  return await buffer(pack);
}
