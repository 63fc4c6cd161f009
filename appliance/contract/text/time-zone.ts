import { z } from 'zod';

/** A time zone of the IANA database, such as Asia/Shanghai. The server has a file of that name. */
export const timeZone = z
  .string()
  .max(64)
  // Intl ignores case, but names of files do not.
  .regex(/^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*){0,2}$/, {
    error: 'must be a time zone such as Asia/Shanghai',
    abort: true,
  })
  .refine(isTimeZone, 'is not a time zone of the IANA database, such as Asia/Shanghai');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Formats a time for people as `2026-11-24 19:30 Asia/Shanghai`; in UTC without a time zone. */
export function formatTime(time: Date, timeZone = 'UTC'): string {
  // Swedish writes dates as ISO 8601 does.
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  }).format(time);
  return `${text} ${timeZone}`;
}
