import { z } from 'zod';

/** An uploaded file of a release. Fields that are not used are ignored. */
const assetSchema = z.object({
  id: z.int().positive(),
  name: z.string().max(255),
  size: z.int().nonnegative(),
  /** `starter`: an upload that did not finish. */
  state: z.enum(['uploaded', 'starter', 'open', 'new']),
  /** `sha256:…`; the code host computes it. Absent on older servers. */
  digest: z.string().nullish(),
});

const releaseSchema = z.object({
  id: z.int().positive(),
  tag_name: z.string(),
  draft: z.boolean(),
  /** URI template of the uploads, such as `https://uploads.…/assets{?name,label}`. */
  upload_url: z.string(),
  html_url: z.string(),
});

/** The error of a request; `errors` has details of a rejected field. */
const errorSchema = z.object({
  message: z.string(),
  errors: z
    .array(z.object({ code: z.string().optional(), field: z.string().optional() }))
    .optional(),
});

export type Asset = z.infer<typeof assetSchema>;
export type HostedRelease = z.infer<typeof releaseSchema>;

/** Schemas of the responses, by what is asked for. */
export const messages = {
  asset: assetSchema,
  assets: z.array(assetSchema),
  release: releaseSchema,
  releases: z.array(releaseSchema),
  error: errorSchema,
} as const;
