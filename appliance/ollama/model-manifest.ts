import { z } from 'zod';
import { parseJson } from '#contract/text/json.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';

const digest = z.string().refine((text): text is Digest => isDigest(text));
const layer = z.object({ digest, size: z.int().nonnegative() });
const manifestSchema = z.object({ config: layer, layers: z.array(layer).max(4096) });

/** A blob that a model's manifest names. */
export interface ModelBlob {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** Size limit of a manifest in bytes. Usual ones have a few kilobytes. */
export const maxManifest = 4 << 20;

/** Returns the distinct blobs that a manifest names; undefined for an invalid manifest. */
export function blobsOfModel(manifest: Buffer): ModelBlob[] | undefined {
  const parsed = manifestSchema.safeParse(parseJson(manifest));
  if (!parsed.success) return undefined;
  const { config, layers } = parsed.data;
  return [...new Map([config, ...layers].map((each) => [each.digest, each])).values()];
}
