import { z } from 'zod';
import { TransferError } from '#http/transfer-error.ts';
import { type PullFailed, pullLine } from '../host/pull/pull-line.ts';

const bytes = z.int().nonnegative();

/** Ollama omits `completed` if it is zero. Other fields are ignored. */
const progressSchema = z.object({
  status: z.string().min(1).max(1000),
  digest: z.string().max(200).optional(),
  total: bytes.optional(),
  completed: bytes.optional(),
});

/** A line of the response to `POST /api/pull`. */
export type PullLine = z.infer<typeof progressSchema> | PullFailed;

/** Parses a line. @throws LandfallError MODEL_FAILED for an unexpected one */
export function readPullLine(value: unknown): PullLine {
  return pullLine(
    value,
    progressSchema,
    () =>
      new TransferError('MODEL_FAILED', 'Ollama returned an unexpected pull response', {
        hint: 'Use another release: its version of Ollama is not supported.',
        transient: false,
      }),
  );
}
