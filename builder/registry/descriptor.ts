import { z } from 'zod';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';

/** 8 TiB: far larger than any image, and exactly representable as a number. */
const maxBlob = 2 ** 43;
const maxUrls = 64;

/** A descriptor in a document (OCI image-spec, "Descriptors"). Unknown keys are allowed. */
export const descriptorSchema = z.object({
  mediaType: z.string().max(255),
  digest: z.custom<Digest>(
    (value) => typeof value === 'string' && isDigest(value),
    'must be a SHA-256 digest',
  ),
  size: z.int('must be a number of bytes').nonnegative().max(maxBlob),
  urls: z.array(z.string()).max(maxUrls).nullish(),
});

export type ParsedDescriptor = z.infer<typeof descriptorSchema>;

/** Returns only the fields that identify a blob. */
export function toDescriptor({ mediaType, digest, size }: ParsedDescriptor): Descriptor {
  return { mediaType, digest, size };
}
