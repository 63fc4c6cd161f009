import type { LandfallError } from '#contract/errors.ts';

/** What a person runs where systemd does not restart the first boot. */
export const runAgain = 'sudo landfall first-boot';

/**
 * Says whether a failed run of the stages is retried automatically. On a new server systemd restarts
 * the first boot after every error; on an installed one a person runs it again.
 * @param installed whether an earlier first boot came to its end here
 */
export function retryAdvice(
  { retriable }: Pick<LandfallError, 'retriable'>,
  installed: boolean,
): string {
  if (installed) return retriable ? `run: ${runAgain}` : `after the fix, run: ${runAgain}`;
  return retriable ? 'it is retried automatically' : 'it continues automatically after the fix';
}
