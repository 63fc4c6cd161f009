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

/** Returns the time zone of the system. The first call loads ICU, which takes 6 MB of memory. */
export function systemTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

let current: string | undefined = 'UTC';

/**
 * Sets the time zone in which this process writes times; undefined is that of the system. Only the
 * entry points call it.
 */
export function setTimeZone(timezone: string | undefined): void {
  current = timezone;
}

/** Formats a time for people as `2026-11-24 19:30 Asia/Shanghai`, in the time zone of this process. */
export function formatTime(time: Date, timeZone = current ?? systemTimeZone()): string {
  return `${formatterOf(timeZone).format(time)} ${timeZone}`;
}

/** Formats a time for a line of a log as `2026-11-24 19:30:05`, in the time zone of this process. */
export function formatSecond(time: Date, timeZone = current ?? systemTimeZone()): string {
  return formatterOf(timeZone, 'medium').format(time);
}

/** A formatter has 30 kB outside of the heap, which the garbage collector does not count. */
let formatter:
  | { readonly timeZone: string; readonly timeStyle: string; readonly format: Intl.DateTimeFormat }
  | undefined;

function formatterOf(
  timeZone: string,
  timeStyle: 'short' | 'medium' = 'short',
): Intl.DateTimeFormat {
  if (formatter?.timeZone !== timeZone || formatter.timeStyle !== timeStyle) {
    // Swedish writes dates as ISO 8601 does.
    const options = { timeZone, dateStyle: 'short', timeStyle } as const;
    formatter = { timeZone, timeStyle, format: new Intl.DateTimeFormat('sv-SE', options) };
  }
  return formatter.format;
}
