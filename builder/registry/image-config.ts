import { z } from 'zod';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { malformed, parseJson } from './document.ts';
import type { IndexPlatform } from './image-index.ts';
import { platformSchema } from './platform-schema.ts';

/** The fields of an image configuration that must agree with its manifest. */
export interface ImageConfig extends IndexPlatform {
  /** Digests of the uncompressed layers, base first. */
  readonly diffIds: readonly Digest[];
}

const configSchema = platformSchema.extend({
  rootfs: z.object({
    type: z.literal('layers'),
    diff_ids: z
      .array(
        z.custom<Digest>(
          (value) => typeof value === 'string' && isDigest(value),
          'must be a SHA-256 digest',
        ),
      )
      .max(1024),
  }),
});

/**
 * Reads an image configuration (OCI image-spec "Image Configuration"; Docker's has the same keys).
 * @throws LandfallError IMAGE_MANIFEST
 */
export function readConfig(bytes: Buffer, what: string): ImageConfig {
  const parsed = configSchema.safeParse(parseJson(bytes, `the configuration of ${what}`));
  if (!parsed.success) {
    throw malformed(
      `the configuration of ${what} is malformed`,
      schemaProblems(parsed.error.issues),
    );
  }
  const { os, architecture, variant, rootfs } = parsed.data;
  return { os, architecture, variant, diffIds: rootfs.diff_ids };
}
