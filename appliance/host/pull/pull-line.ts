import { z } from 'zod';

const failureSchema = z.object({ error: z.string().min(1) });

/** An engine tells of a failure in a line too: the status of the answer, 200, is out by then. */
export type PullFailed = z.infer<typeof failureSchema>;

/**
 * Reads one line of what an engine answers to a pull.
 * @param progress what a line is that tells of no failure
 * @throws what `otherwise` makes of a line that is neither
 */
export function pullLine<Progress>(
  value: unknown,
  progress: z.ZodType<Progress>,
  otherwise: (cause: unknown) => Error,
): Progress | PullFailed {
  const failure = failureSchema.safeParse(value);
  if (failure.success) return failure.data;
  const line = progress.safeParse(value);
  if (line.success) return line.data;
  throw otherwise(line.error);
}
