import { type Digest, hexOf, sha256Hex } from '#contract/trust/digest.ts';

/** One file of a bundle, with its bytes or the name of the blob that has them. */
export interface Entry {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** 64 hex digits. */
  readonly sha256: string;
  readonly executable: boolean;
  readonly content: Uint8Array | BlobContent;
}

/** Content that lies in the store, or will as soon as it was fetched. */
interface BlobContent {
  readonly digest: Digest;
}

/** A small file with its bytes at hand. */
export function fileEntry(path: string, bytes: Uint8Array, executable = false): Entry {
  return { path, size: bytes.length, sha256: sha256Hex(bytes), executable, content: bytes };
}

/** A file whose bytes are a blob of the store. */
export function blobEntry(
  path: string,
  blob: { readonly digest: Digest; readonly size: number },
  executable = false,
): Entry {
  const { digest, size } = blob;
  return { path, size, sha256: hexOf(digest), executable, content: { digest } };
}
