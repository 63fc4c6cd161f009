import type { LandfallError } from '#contract/errors.ts';

/** The command to retry if systemd does not restart the first boot. */
export const runAgain = 'sudo landfall first-boot';

/**
 * Returns whether a failed first boot is retried automatically, as text. On a new server systemd
 * restarts it after every error; on an installed server the administrator runs it again.
 * @param installed whether a first boot has completed on this server
 */
export function retryAdvice(
  { retriable }: Pick<LandfallError, 'retriable'>,
  installed: boolean,
): string {
  if (installed) return retriable ? `run: ${runAgain}` : `after the fix, run: ${runAgain}`;
  return retriable ? 'it is retried automatically' : 'it continues automatically after the fix';
}
