import { formatError } from '#contract/text/error.ts';
import { retryOf } from '../stage/stage-error.ts';

/** Formats an error of a command on the server; below one of a stage stands how it is retried. */
export function formatServerError(error: unknown): string {
  return formatError(error, { label: 'landfall:', retry: retryOf(error) });
}
