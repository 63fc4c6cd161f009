import { z } from 'zod';
import type { PullFailed } from '../host/pull/pull-line.ts';

/** An engine that was told no length says -1. */
const bytes = z.int().nonnegative().optional().catch(undefined);

/** What `POST /images/create` answers, line by line (Docker Engine API, ImageCreate). */
export const progressSchema = z.object({
  status: z.string().max(1000).default(''),
  /** The beginning of a layer's digest; what is said of all has the tag here, or nothing. */
  id: z.string().max(300).optional(),
  progressDetail: z.object({ current: bytes, total: bytes }).optional(),
});

export type PullLine = z.infer<typeof progressSchema> | PullFailed;
