import type { Digest } from '#contract/trust/digest.ts';

/** Identifies a blob by media type, digest and size (OCI image-spec, "Descriptors"). */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}
