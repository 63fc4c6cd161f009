import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { diskFull } from '../host/free-space.ts';
import type { StageName } from './stage.ts';

/** The failure of a stage, with the code, the problems and the hint of its cause. */
export class StageError extends LandfallError {
  readonly stage: StageName;
  /** Whether a first boot has completed on this server, so that systemd does not retry. */
  readonly installed: boolean;

  /** @param cause what the stage threw; STAGE_FAILED unless it is a LandfallError */
  constructor(stage: StageName, cause: unknown, installed: boolean) {
    const known = cause instanceof LandfallError ? cause : unforeseen(cause, installed);
    super(known.code, `${stage}: ${known.message}`, {
      hint: known.hint ?? (installed ? undefined : log),
      problems: known.problems,
      retriable: known.retriable,
      cause,
    });
    this.stage = stage;
    this.installed = installed;
  }
}

/** For a first boot started by systemd. A manual run writes to the terminal only. */
const log = {
  en: 'Run `sudo journalctl -u landfall-boot` to see the log.',
  zh: '运行 `sudo journalctl -u landfall-boot` 查看日志。',
};

function unforeseen(cause: unknown, installed: boolean): LandfallError {
  if (isDiskFull(cause)) {
    const hint = {
      en: 'Free disk space; `df -h` shows the full file system.',
      zh: '释放磁盘空间；`df -h` 显示已满的文件系统。',
    };
    return diskFull('the disk is full', hint, cause);
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return new LandfallError('STAGE_FAILED', message, {
    hint: installed
      ? {
          en: 'Report this bug with the output above.',
          zh: '请附上以上输出报告这个缺陷。',
        }
      : {
          en: 'Report this bug with the output of `sudo journalctl -u landfall-boot`.',
          zh: '请附上 `sudo journalctl -u landfall-boot` 的输出报告这个缺陷。',
        },
  });
}

function isDiskFull(cause: unknown): boolean {
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? '';
  return ['ENOSPC', 'EDQUOT'].includes(code);
}

/** Returns the retry advice for an error of a stage; undefined for other errors. */
export function retryOf(error: unknown): string | undefined {
  return error instanceof StageError ? retryAdvice(error, error.installed) : undefined;
}

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
