import type { Digest } from '#contract/trust/digest.ts';

/** What names a blob: its content, its length, its kind (OCI image-spec, "Descriptors"). */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}
