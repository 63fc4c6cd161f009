import { formatError } from '#contract/text/error.ts';
import { retryOf } from '../stage/stage-error.ts';

/** Formats an error of a command on the server, with the retry advice for an error of a stage. */
export function formatServerError(error: unknown): string {
  return formatError(error, { retry: retryOf(error) });
}
