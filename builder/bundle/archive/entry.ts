import { type Digest, hexOf, sha256Hex } from '#contract/trust/digest.ts';

/** A file of a bundle, with its bytes or the digest of a blob. */
export interface BundleEntry {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** 64 hex digits. */
  readonly sha256: string;
  readonly executable: boolean;
  readonly content: Uint8Array | BlobContent;
}

/** Content in the blob store, possibly still being fetched. */
interface BlobContent {
  readonly digest: Digest;
}

/** Returns an entry for a small file in memory. */
export function fileEntry(path: string, bytes: Uint8Array, executable = false): BundleEntry {
  return { path, size: bytes.length, sha256: sha256Hex(bytes), executable, content: bytes };
}

/** Returns an entry for a blob of the store. */
export function blobEntry(
  path: string,
  blob: { readonly digest: Digest; readonly size: number },
  executable = false,
): BundleEntry {
  const { digest, size } = blob;
  return { path, size, sha256: hexOf(digest), executable, content: { digest } };
}

/** Returns the path of an image's blob in a bundle, as in an OCI image layout. */
export function imageBlobPath(digest: Digest): string {
  return `blobs/sha256/${hexOf(digest)}`;
}
