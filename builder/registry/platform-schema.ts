import { z } from 'zod';

/**
 * The platform of an index entry or a configuration. An empty variant means none (OCI image-spec).
 */
export const platformSchema = z.object({
  os: z.string().max(64),
  architecture: z.string().max(64),
  variant: z
    .string()
    .max(64)
    .nullish()
    .transform((variant) => variant || undefined),
});
