import { posix } from 'node:path';
import tar from 'tar-stream';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { ociLayer } from '../registry/media-types.ts';

/** A layer whose bytes are at hand. */
export interface OwnLayer {
  readonly descriptor: Descriptor;
  /** Digest of the tar: the same, because it is not compressed. */
  readonly diffId: Digest;
  readonly bytes: Buffer;
}

/**
 * Makes a layer that holds one program. It stays uncompressed: compressors differ from machine to
 * machine, and for two megabytes it is not worth that the bytes would.
 * @param path in the image, without a leading slash
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

/** Of root, whoever builds; from 1970, whenever. */
const owned = { uid: 0, gid: 0, uname: '', gname: '', mtime: new Date(0) } as const;

/** `opt/`, `opt/landfall/` for `opt/landfall/relay.mjs`. */
function foldersAbove(path: string): string[] {
  const parts = posix.dirname(path).split('/');
  return parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
}
