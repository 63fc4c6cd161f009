import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import tar, { type Pack } from 'tar-stream';
import type { Digest } from '#contract/digest.ts';
import type { DebianMirror } from '../setup/debian-mirror.ts';
import { epoch } from '../setup/mmdebstrap.ts';
import { addEntry } from './added-entry.ts';
import type { BlobFolder, Descriptor } from './blob-folder.ts';
import type { LayerRecipe } from './catalogue.ts';
import { layerMediaType } from './media-types.ts';
import { readTree, type TreeEntry } from './tree.ts';

export interface Layer {
  readonly descriptor: Descriptor;
  /** Digest of the tar before compression (OCI image-spec, "Layer DiffID"). */
  readonly diffId: Digest;
  /** Every path that this layer and those below it have. */
  readonly paths: ReadonlySet<string>;
}

/** About the machine that builds, or of no use in an image. */
const leftOut =
  /^(dev|proc|sys|etc\/apt|etc\/hostname|etc\/resolv\.conf|var\/(cache|lib\/(apt|dpkg)))(\/|$)/;

/**
 * Makes the top layer of a stack of recipes: what its packages add to the layer below.
 * The same packages give the same bytes.
 */
export async function makeLayer(
  stack: readonly LayerRecipe[],
  below: Layer | undefined,
  architecture: 'amd64' | 'arm64',
  mirror: DebianMirror,
  blobs: BlobFolder,
): Promise<Layer> {
  const recipe = stack.at(-1);
  if (!recipe) throw new Error('a stack without a recipe has no top layer');
  const packages = stack.flatMap((each) => each.packages);
  const paths = new Set(below?.paths);
  const pack = tar.pack();
  const hash = createHash('sha256');
  const compressor = compressorOf(recipe);
  const storing = blobs.putStream(layerMediaType(recipe.compression), compressor);
  const packing = pipeline(pack, hashed(hash), compressor);
  const filling = fill(pack, recipe, paths, packages, architecture, mirror).catch((error) => {
    pack.destroy(error);
    throw error;
  });
  await Promise.all([filling, packing, storing]);
  return { descriptor: await storing, diffId: `sha256:${hash.digest('hex')}`, paths };
}

async function fill(
  pack: Pack,
  recipe: LayerRecipe,
  paths: Set<string>,
  packages: readonly string[],
  architecture: 'amd64' | 'arm64',
  mirror: DebianMirror,
): Promise<void> {
  if (recipe.packages.length > 0) {
    await readTree(packages, architecture, mirror, async (entries) => {
      for await (const entry of entries) await copyIfNew(entry, pack, paths);
    });
  }
  for (const [name, content] of Object.entries(recipe.files ?? {})) {
    pack.entry({ name, mode: 0o644, mtime: new Date(epoch * 1000) }, content);
  }
  for (const entry of recipe.adds ?? []) await addEntry(entry, pack);
  pack.finalize();
}

async function copyIfNew(entry: TreeEntry, pack: Pack, paths: Set<string>): Promise<void> {
  const { name, mode, uid, gid, mtime, type, linkname, size } = entry.header;
  const path = name.replace(/^\.\//, '').replace(/\/$/, '');
  if (path === '' || paths.has(path) || leftOut.test(path)) {
    entry.resume();
    return;
  }
  paths.add(path);
  // A hard link names its target as the tar does; a symbolic one is relative to where it is.
  const target = type === 'link' ? linkname.replace(/^\.\//, '') : linkname;
  const header = { name: path, mode, uid, gid, mtime, type, linkname: target, size };
  await pipeline(entry, pack.entry(header));
}

function compressorOf({ compression }: LayerRecipe) {
  return compression === 'gzip'
    ? createGzip({ level: 1 })
    : createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

function hashed(hash: ReturnType<typeof createHash>) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
}
