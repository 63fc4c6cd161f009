import { z } from 'zod';
import { TransferError } from '#http/transfer-error.ts';
import { type PullFailed, pullLine } from '../host/pull/pull-line.ts';

const bytes = z.int().nonnegative();

/** `completed` is left out while it is zero; what else is there is nobody's matter. */
const progressSchema = z.object({
  status: z.string().min(1).max(1000),
  digest: z.string().max(200).optional(),
  total: bytes.optional(),
  completed: bytes.optional(),
});

/** One line of what `POST /api/pull` answers. */
export type PullLine = z.infer<typeof progressSchema> | PullFailed;

/** @throws LandfallError MODEL_FAILED for a line that is neither */
export function readPullLine(value: unknown): PullLine {
  return pullLine(
    value,
    progressSchema,
    () =>
      new TransferError('MODEL_FAILED', 'the engine tells of its pull in another way', {
        hint: 'The release names an engine that this program does not know. Take another release.',
        transient: false,
      }),
  );
}
