import type { ErrorCode } from '#contract/errors.ts';

const minute = 60_000;

/**
 * Returns the delay after the nth consecutive failure, in milliseconds. DNS lookups are not
 * rate-limited, so they are repeated every 2 minutes, and less often after an hour and after a day.
 * An authority allows 5 failed verifications per name and hour.
 */
export function retryDelay(code: ErrorCode, failures: number): number {
  if (code === 'TLS_NAME' || code === 'TLS_MATERIAL') {
    if (failures <= 30) return 2 * minute;
    return failures <= 30 + 138 ? 10 * minute : 60 * minute;
  }
  const first = code === 'ACME_UNREACHABLE' ? 2 : code === 'ACME_RATE_LIMIT' ? 60 : 15;
  return Math.min(first * 2 ** (failures - 1), 6 * 60) * minute;
}
