import { z } from 'zod';
import type { PullFailed } from '../host/pull/pull-line.ts';

/** Docker reports -1 for an unknown length. */
const bytes = z.int().nonnegative().optional().catch(undefined);

/** A line of the response to `POST /images/create` (Docker Engine API, ImageCreate). */
export const progressSchema = z.object({
  status: z.string().max(1000).default(''),
  /** The short digest of a layer; in lines about the image, its tag or undefined. */
  id: z.string().max(300).optional(),
  progressDetail: z.object({ current: bytes, total: bytes }).optional(),
});

export type PullLine = z.infer<typeof progressSchema> | PullFailed;
