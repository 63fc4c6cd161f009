import { formatDuration } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import type { TransferError } from '#http/transfer-error.ts';
import { PullProgress } from './pull-progress.ts';

/** Timing of a pull; tests shorten it. */
export interface PullPace extends Pick<RetryOptions, 'attempts' | 'sleep'> {
  readonly limits?: StallLimits;
  /** Milliseconds without progress until a line says so. */
  readonly quiet?: number;
}

/** Stall timeouts while bytes are fetched, and while they are verified or unpacked. Milliseconds. */
interface StallLimits {
  readonly fetching: number;
  readonly checking: number;
}

/**
 * Docker has no timeout, and Ollama retries a part that stalls for 30 s six times. Both unpack or verify
 * gigabytes for minutes without reporting progress.
 */
const stallLimits: StallLimits = { fetching: 5 * 60_000, checking: 30 * 60_000 };

interface Pull {
  readonly name: string;
  /** Bytes to download; null if unknown. */
  readonly size: number | null;
  /** The error for a pull without progress. */
  readonly stalled: TransferError;
}

/** Where a pull reports to. */
interface PullReporter {
  say(line: string): void;
  progress(amount: { done: number; total: number; unit: 'bytes' }): void;
}

/** What one attempt uses. */
export interface PullAttempt {
  /** Aborted when the stall timeout expires. */
  readonly signal: AbortSignal;
  readonly progress: PullProgress;
  /** Restarts the stall timeout, after progress. */
  renew(phase: keyof StallLimits): void;
  /** Reports the received bytes. */
  show(): void;
}

/**
 * Pulls an image or a model. Retries temporary errors, and continues as long as bytes arrive: there is a
 * stall timeout, but no limit on the total time. Docker and Ollama keep what is complete for the next
 * attempt.
 * @throws the errors of `attempt`
 */
export async function retryPull(
  { name, size, stalled }: Pull,
  attempt: (parts: PullAttempt) => Promise<void>,
  report: PullReporter,
  { limits = stallLimits, quiet = 30_000, ...pace }: PullPace = {},
): Promise<void> {
  const progress = new PullProgress(size);
  const show = () => report.progress({ done: progress.done, total: progress.total, unit: 'bytes' });
  const tryOnce = async () => {
    const stall = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let note: NodeJS.Timeout | undefined;
    const renew = (phase: keyof StallLimits) => {
      clearTimeout(timer);
      timer = setTimeout(() => stall.abort(stalled), limits[phase]);
      clearTimeout(note);
      if (phase === 'fetching') note = setTimeout(() => report.say(quietLine(quiet)), quiet);
    };
    renew('fetching');
    try {
      await attempt({ signal: stall.signal, progress, renew, show });
    } finally {
      clearTimeout(timer);
      clearTimeout(note);
    }
  };
  await withRetry(`pulling ${name}`, tryOnce, {
    note: (line) => report.say(line),
    progress: () => progress.most,
    ...pace,
  });
}

/** Docker and Ollama retry single parts without a word. */
function quietLine(quiet: number): string {
  const time = formatDuration(quiet);
  return inLanguage({
    en: `no data for ${time}; still trying, and what has arrived is kept`,
    zh: `已有 ${time} 没有收到数据，正在重试，已下载的部分会保留`,
  });
}
