import { inLanguage, type Language } from './language.ts';

/** Progress of a long operation. */
export interface Amount {
  readonly done: number;
  readonly total: number;
  readonly unit: 'bytes' | 'checks' | 'images' | 'services' | 'tests';
}

/** Formats an amount: `1.2 GB of 4.3 GB`, `3 of 7 images`. */
export function formatAmount(
  { done, total, unit }: Omit<Amount, 'unit'> & { readonly unit: string },
  language?: Language,
): string {
  const text =
    unit === 'bytes'
      ? {
          en: `${formatBytes(done)} of ${formatBytes(total)}`,
          zh: `${formatBytes(done)} / ${formatBytes(total)}`,
        }
      : { en: `${done} of ${total} ${unit}`, zh: `${done} / ${total} ${units[unit] ?? unit}` };
  return inLanguage(text, language);
}

/** What is counted, in Chinese. */
export const units: Readonly<Record<string, string>> = {
  checks: '项检查',
  images: '个镜像',
  services: '个服务',
  tests: '项测试',
};

/** Formats the completed fraction: `64 %`. It is rounded down, so only complete work has `100 %`. */
export function formatPercentage(amount: Pick<Amount, 'done' | 'total'>): string {
  return `${Math.floor(fraction(amount) * 100)} %`;
}

/** Returns the completed fraction, from 0 to 1. */
export function fraction({ done, total }: Pick<Amount, 'done' | 'total'>): number {
  return total > 0 ? Math.min(Math.max(done / total, 0), 1) : 0;
}

/** Clamps an amount to valid values; undefined if that is impossible. */
export function soundAmount({ done, total, unit }: Amount): Amount | undefined {
  if (!Number.isFinite(done) || !Number.isFinite(total) || total <= 0) return undefined;
  return { done: Math.min(Math.max(done, 0), total), total, unit };
}

/**
 * Formats milliseconds: `0.4 s`, `59 s`, `1 min 13 s`, `1 h 5 min`. Less than 0 is 0: a clock was set back.
 */
export function formatDuration(duration: number): string {
  const milliseconds = Math.max(0, duration);
  if (milliseconds < 9950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Formats a short time in milliseconds: `23 ms`, and from one second on like {@link formatDuration}. */
export function formatLatency(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : formatDuration(milliseconds);
}

const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats bytes: `947 B`, `12.3 MB`. Decimal units, like disks and cloud providers. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${byteUnits[unit]}`;
}

/** Formats a rate: `12.3 MB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}
