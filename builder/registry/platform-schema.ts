import { z } from 'zod';

/** The platform that an index entry or a configuration names; an empty variant is none (OCI image-spec). */
export const platformSchema = z.object({
  os: z.string().max(64),
  architecture: z.string().max(64),
  variant: z
    .string()
    .max(64)
    .nullish()
    .transform((variant) => variant || undefined),
});
