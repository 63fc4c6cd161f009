import { z } from 'zod';
import { engineAnswered } from './docker-engine.ts';

const progressSchema = z.object({
  status: z.string().max(1000).default(''),
  /** The beginning of a layer's digest; what is said of all has the tag here, or nothing. */
  id: z.string().max(300).optional(),
  progressDetail: z
    .object({ current: z.number().optional(), total: z.number().optional() })
    .optional(),
});
const failureSchema = z.object({ error: z.string().min(1) });

/**
 * One line of what `POST /images/create` answers (Docker Engine API, ImageCreate). A failure comes
 * as a line too: the status of the answer, 200, is out by then.
 */
export type PullLine = z.infer<typeof progressSchema> | z.infer<typeof failureSchema>;

/** @throws LandfallError ENGINE_UNREACHABLE for a line that is neither */
export function readPullLine(value: unknown): PullLine {
  const failure = failureSchema.safeParse(value);
  if (failure.success) return failure.data;
  const progress = progressSchema.safeParse(value);
  if (progress.success) return progress.data;
  throw engineAnswered('a line that tells nothing', progress.error);
}
