import type { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';

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
  const [retry, fix] = installed
    ? [
        { en: `run: ${runAgain}`, zh: `请运行：${runAgain}` },
        { en: `after the fix, run: ${runAgain}`, zh: `解决后运行：${runAgain}` },
      ]
    : [
        { en: 'it is retried automatically', zh: '会自动重试' },
        { en: 'it continues automatically after the fix', zh: '解决后会自动继续' },
      ];
  return inLanguage(retriable ? retry : fix);
}
