const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Milliseconds that a Retry-After header asks to wait (RFC 9110, section 10.2.3: seconds or an HTTP
 * date), 0 for a date that has passed, undefined for anything else.
 */
export function readRetryAfter(value: string | undefined, now = Date.now()): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const date = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
