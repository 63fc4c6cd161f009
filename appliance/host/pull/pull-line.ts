import { z } from 'zod';

const failureSchema = z.object({ error: z.string().min(1) });

/** Errors are sent as a line too, because the status 200 has already been sent. */
export type PullFailed = z.infer<typeof failureSchema>;

/**
 * Parses one line of the response of Docker or Ollama to a pull.
 * @param progress schema of a progress line
 * @throws the error of `otherwise` for a line that is neither progress nor an error
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
