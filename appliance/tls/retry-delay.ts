import type { ErrorCode } from '#contract/errors.ts';

const minute = 60_000;

/**
 * How long to wait after the nth failure in a row, in milliseconds. Looking for a DNS record costs
 * nobody anything, so that goes on every two minutes, and more slowly after an hour and after a day.
 * An authority takes 5 failed verifications an hour and name.
 */
export function retryDelay(code: ErrorCode, failures: number): number {
  if (code === 'TLS_NAME' || code === 'TLS_MATERIAL') {
    if (failures <= 30) return 2 * minute;
    return failures <= 30 + 138 ? 10 * minute : 60 * minute;
  }
  const first = code === 'ACME_UNREACHABLE' ? 2 : code === 'ACME_RATE_LIMIT' ? 60 : 15;
  return Math.min(first * 2 ** (failures - 1), 6 * 60) * minute;
}
