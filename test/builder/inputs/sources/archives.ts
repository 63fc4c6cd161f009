import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import tar, { type Header } from 'tar-stream';
import { hexOf } from '#contract/trust/digest.ts';
import {
  blobsOf,
  document,
  named,
  type TestBlob,
  type TestImage,
  type TestPlatformImage,
  types,
} from '../../../faulty-registry/make-image.ts';

/* Image archives and layouts in the formats of common tools, from images in memory. */

/** A member of a tar: content, or additional header fields. */
export type Member = Buffer | string | Partial<Header>;
export type Members = ReadonlyArray<readonly [name: string, member: Member]>;

export async function tarOf(members: Members): Promise<Buffer> {
  const pack = tar.pack();
  for (const [name, member] of members) {
    if (typeof member === 'string' || Buffer.isBuffer(member)) pack.entry({ name }, member);
    else pack.entry({ name, ...member });
  }
  pack.finalize();
  return buffer(pack);
}

export const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/** The files of an OCI image layout; `names` are annotations of the image. */
export function ociLayout(
  image: TestImage | TestPlatformImage,
  names: readonly string[] = [],
): Members {
  const root = 'index' in image ? image.index : image.manifest;
  const blobs =
    'index' in image ? [root, ...blobsOf(image)] : [root, image.config, ...image.layers];
  return [
    ['oci-layout', '{"imageLayoutVersion": "1.0.0"}'],
    ['index.json', json(layoutIndex(root, names))],
    ...distinct(blobs).map((blob) => [blobPath(blob), blob.bytes] as const),
  ];
}

/** The format of Docker before version 25: a folder per layer, equal layers as links. */
export function legacyArchive(
  image: TestPlatformImage,
  tags: readonly string[] | null = ['team/app:1'],
  linkTo: 'folder' | 'file' = 'folder',
): Members {
  const config = `${hexOf(image.config.digest)}.json`;
  const layers = image.layers.map((_, at) => `${'abcdef'[at]}1234/layer.tar`);
  const firsts = image.layers.map(({ digest }) =>
    image.layers.findIndex((other) => other.digest === digest),
  );
  const members = image.layers.flatMap((layer, at): Members => {
    const folder = layers[at]?.slice(0, -'/layer.tar'.length) ?? '';
    const first = firsts[at] ?? 0;
    const file = `${hexOf(layer.digest)}.tar`;
    const content: Members =
      linkTo === 'file'
        ? [[`${folder}/layer.tar`, link(`../${file}`)]]
        : [[`${folder}/layer.tar`, first === at ? layer.bytes : link(`../${layers[first]}`)]];
    return [
      [`${folder}/`, { type: 'directory' }],
      [`${folder}/VERSION`, '1.0'],
      [`${folder}/json`, '{}'],
      ...content,
    ];
  });
  const files = linkTo === 'file' ? distinct(image.layers) : [];
  return [
    ...members,
    ...files.map((layer) => [`${hexOf(layer.digest)}.tar`, layer.bytes] as const),
    [config, image.config.bytes],
    ['repositories', '{}'],
    ['manifest.json', json([{ Config: config, RepoTags: tags, Layers: layers }])],
  ];
}

/** The format of Docker since version 25: both layouts in one, sharing `blobs/`. */
export function modernArchive(
  image: TestPlatformImage,
  tags: readonly string[] | null = ['team/app:1'],
  root: TestBlob = image.manifest,
): Members {
  const blobs = distinct([root, image.manifest, image.config, ...image.layers]);
  return [
    ['blobs/', { type: 'directory' }],
    ['blobs/sha256/', { type: 'directory' }],
    ...blobs.map((blob) => [blobPath(blob), blob.bytes] as const),
    ['index.json', json(layoutIndex(root, ['docker.io/team/app:1']))],
    ['manifest.json', json([manifestEntry(image, tags)])],
    ['oci-layout', '{"imageLayoutVersion":"1.0.0"}'],
  ];
}

export function manifestEntry(image: TestPlatformImage, tags: readonly string[] | null) {
  return { Config: blobPath(image.config), RepoTags: tags, Layers: image.layers.map(blobPath) };
}

export function blobPath({ digest }: TestBlob): string {
  return `blobs/sha256/${hexOf(digest)}`;
}

/** Writes files into a folder. */
export async function unpack(members: Members, folder: string): Promise<void> {
  for (const [name, member] of members) {
    if (typeof member !== 'string' && !Buffer.isBuffer(member)) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), member);
  }
}

/** The manifest that an archive is converted to. */
export function convertedManifest(image: TestPlatformImage): TestBlob {
  return document(types.oci.manifest, {
    schemaVersion: 2,
    mediaType: types.oci.manifest,
    config: { ...named(image.config), mediaType: types.oci.config },
    layers: image.layers.map((layer) => ({ ...named(layer), mediaType: types.oci.layer })),
  });
}

function layoutIndex(root: TestBlob, names: readonly string[]) {
  const key = 'org.opencontainers.image.ref.name';
  const manifests =
    names.length === 0
      ? [named(root)]
      : names.map((name) => ({ ...named(root), annotations: { [key]: name } }));
  return { schemaVersion: 2, mediaType: types.oci.index, manifests };
}

function link(linkname: string): Partial<Header> {
  return { type: 'symlink', linkname };
}

function distinct(blobs: readonly TestBlob[]): TestBlob[] {
  return [...new Map(blobs.map((blob) => [blob.digest, blob])).values()];
}
