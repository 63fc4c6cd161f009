import { z } from 'zod';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { descriptorSchema, toDescriptor } from './descriptor.ts';
import { malformed } from './document.ts';
import { platformSchema } from './platform-schema.ts';

/** The platform of an index entry. */
export interface IndexPlatform {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string | undefined;
}

export interface IndexEntry {
  readonly descriptor: Descriptor;
  readonly platform: IndexPlatform | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

const maxEntries = 1024;

const indexSchema = z.object({
  manifests: z
    .array(
      descriptorSchema.extend({
        platform: platformSchema.nullish(),
        annotations: z.record(z.string(), z.string()).nullish(),
      }),
    )
    .max(maxEntries),
});

/**
 * Validates an index or manifest list (OCI image-spec "Image Index") and returns its entries.
 * @param value parsed JSON
 * @throws LandfallError IMAGE_MANIFEST
 */
export function readIndex(value: unknown, what: string): readonly IndexEntry[] {
  const parsed = indexSchema.safeParse(value);
  if (!parsed.success)
    throw malformed(`the index of ${what} is malformed`, schemaProblems(parsed.error.issues));
  return parsed.data.manifests.map((entry) => ({
    descriptor: toDescriptor(entry),
    platform: entry.platform ?? undefined,
    annotations: entry.annotations ?? {},
  }));
}
