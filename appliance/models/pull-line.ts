import { z } from 'zod';
import { TransferError } from '#http/transfer-error.ts';

const bytes = z.int().nonnegative();

/** `completed` is left out while it is zero; what else is there is nobody's matter. */
const progressSchema = z.object({
  status: z.string().min(1).max(1000),
  digest: z.string().max(200).optional(),
  total: bytes.optional(),
  completed: bytes.optional(),
});
const failureSchema = z.object({ error: z.string().min(1) });

/**
 * One line of what `POST /api/pull` answers. A failure comes as a line too: the status of the
 * answer, 200, is out by then.
 */
export type PullLine = z.infer<typeof progressSchema> | z.infer<typeof failureSchema>;

/** @throws LandfallError MODEL_FAILED for a line that is neither */
export function readPullLine(value: unknown): PullLine {
  const failure = failureSchema.safeParse(value);
  if (failure.success) return failure.data;
  const progress = progressSchema.safeParse(value);
  if (progress.success) return progress.data;
  throw new TransferError('MODEL_FAILED', 'the engine tells of its pull in another way', {
    hint: 'The release names an engine that this program does not know. Take another release.',
    transient: false,
  });
}
