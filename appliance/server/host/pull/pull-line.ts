import { z } from 'zod';
import { plainLine } from '#contract/text/plain-line.ts';

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

interface LineErrors {
  /** @param what `a line that is not JSON` */
  unexpected(what: string, cause?: unknown): Error;
  /** The response is truncated within a line. */
  truncated(cause?: unknown): Error;
}

/** Bytes. A progress line has about 200, a long error several thousand. */
const maxLine = 64 * 1024;
const lineFeed = 0x0a;

/**
 * Yields the values of a JSON Lines stream as they arrive. Chunk boundaries are arbitrary. Memory use
 * is bounded.
 * @throws an error of `errors` for a line that is not JSON, not UTF-8, too long or truncated
 */
export async function* jsonLines(
  body: AsyncIterable<Uint8Array>,
  errors: LineErrors,
): AsyncGenerator<unknown> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      yield parse(line, errors);
    }
    if (rest.length > maxLine) throw errors.unexpected('a line that is too long');
  }
  if (rest.length > 0) yield parse(rest, errors, true);
}

function parse(line: Buffer, { unexpected, truncated }: LineErrors, last = false): unknown {
  if (line.length > maxLine) throw unexpected('a line that is too long');
  try {
    return JSON.parse(decoder.decode(line));
  } catch (cause) {
    // An invalid last line is probably a closed connection, which can be retried.
    throw last ? truncated(cause) : unexpected('a line that is not JSON', cause);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Characters. Enough for a chain of causes, outermost first. */
const maxLength = 400;

/** Returns the error of a failed pull by Docker or Ollama as one plain line without secrets. */
export function failureText(error: string): string {
  return plainLine(withoutQueries(error), maxLength);
}

/** Removes query strings, which contain signatures that grant access to content. */
function withoutQueries(text: string): string {
  return text.replace(/\?[^\s"']+/g, '?…');
}
