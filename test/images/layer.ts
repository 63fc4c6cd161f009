import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip, createZstdCompress } from 'node:zlib';
import tar, { type Pack } from 'tar-stream';
import type { Digest } from '#contract/trust/digest.ts';
import { epoch } from '../setup/debian/mmdebstrap.ts';
import { addEntry } from './added-entry.ts';
import type { BlobFolder, Descriptor } from './blob-folder.ts';
import { layerMediaType } from './media-types.ts';
import type { LayerRecipe } from './stand-in.ts';
import { readPackage, type TreeEntry } from './tree.ts';

export interface Layer {
  readonly descriptor: Descriptor;
  /** Digest of the tar before compression (OCI image-spec, "Layer DiffID"). */
  readonly diffId: Digest;
  /** Names of the package files in this layer and those below it. */
  readonly packages: readonly string[];
}

/** Paths that are specific to the build machine, or unused in an image. */
const leftOut =
  /^(dev|proc|sys|etc\/apt|etc\/hostname|etc\/resolv\.conf|var\/(cache|lib\/(apt|dpkg)))(\/|$)/;
/** Links into /usr on a merged system (Debian Policy, 10.1). */
const merged = /^(bin|sbin|lib|lib64)(\/|$)/;

/**
 * Builds one layer: a recipe's files, and those of its package files that no lower layer contains.
 * The same packages produce the same bytes.
 * @param packages paths of package files, with all dependencies
 * @param lower names of the package files in lower layers
 */
export async function makeLayer(
  recipe: LayerRecipe,
  packages: readonly string[],
  lower: readonly string[],
  blobs: BlobFolder,
): Promise<Layer> {
  const added = packages.filter((path) => !lower.includes(basename(path)));
  const pack = tar.pack();
  const hash = createHash('sha256');
  const compressor = compressorOf(recipe);
  const storing = blobs.putStream(layerMediaType(recipe.compression), compressor);
  const packing = pipeline(pack, hashed(hash), compressor);
  const filling = fill(pack, recipe, added).catch((error) => {
    pack.destroy(error);
    throw error;
  });
  await Promise.all([filling, packing, storing]);
  return {
    descriptor: await storing,
    diffId: `sha256:${hash.digest('hex')}`,
    packages: [...lower, ...added.map((path) => basename(path))],
  };
}

async function fill(pack: Pack, recipe: LayerRecipe, packages: readonly string[]): Promise<void> {
  const paths = new Set<string>();
  for (const path of packages) {
    await readPackage(path, async (entries) => {
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
  const path = mergedPath(name.replace(/^\.\//, '').replace(/\/$/, ''), type);
  if (path === '' || paths.has(path) || leftOut.test(path)) {
    entry.resume();
    return;
  }
  paths.add(path);
  // A hard link target is a path in the tar; a symbolic link is relative to its own location.
  const target = type === 'link' ? mergedPath(linkname.replace(/^\.\//, ''), type) : linkname;
  const header = { name: path, mode, uid, gid, mtime, type, linkname: target, size };
  await pipeline(entry, pack.entry(header));
}

function mergedPath(path: string, type: string): string {
  return merged.test(path) && type !== 'symlink' ? `usr/${path}` : path;
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
