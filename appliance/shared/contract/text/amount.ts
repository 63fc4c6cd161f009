import { formatBytes } from './format-bytes.ts';
import { inLanguage, type Language } from './language.ts';

/** Progress of a long operation. */
export interface Amount {
  readonly done: number;
  readonly total: number;
  readonly unit: 'bytes' | 'images' | 'services' | 'tests';
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

const units: Readonly<Record<string, string>> = {
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
