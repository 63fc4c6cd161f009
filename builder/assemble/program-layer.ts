import { posix } from 'node:path';
import tar from 'tar-stream';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { ociLayer } from '../registry/media-types.ts';

/** A layer in memory. */
export interface OwnLayer {
  readonly descriptor: Descriptor;
  /** Digest of the tar; equals the layer digest, because the layer is not compressed. */
  readonly diffId: Digest;
  readonly bytes: Buffer;
}

/**
 * Creates a layer with one program. The layer is not compressed: compressors differ between
 * machines, which would make the output irreproducible to save less than two megabytes.
 * @param path path in the image, without a leading slash
 */
export async function programLayer(path: string, program: Buffer): Promise<OwnLayer> {
  const pack = tar.pack();
  for (const folder of foldersAbove(path))
    pack.entry({ ...owned, name: folder, mode: 0o755, type: 'directory' });
  pack.entry({ ...owned, name: path, mode: 0o644 }, program);
  pack.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of pack) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const digest = digestOf(bytes);
  return { descriptor: { mediaType: ociLayer, digest, size: bytes.length }, diffId: digest, bytes };
}

/** Fixed owner and mtime, so builds are reproducible. */
const owned = { uid: 0, gid: 0, uname: '', gname: '', mtime: new Date(0) } as const;

/** Returns `opt/` and `opt/landfall/` for `opt/landfall/relay.mjs`. */
function foldersAbove(path: string): string[] {
  const parts = posix.dirname(path).split('/');
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
}
