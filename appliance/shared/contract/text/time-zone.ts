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
  .refine(
    (name) => resolved(name) !== undefined,
    'is not a time zone of the IANA database, such as Asia/Shanghai',
  )
  .refine(
    (name) => !/^[A-Z]{3}$/.test(name) || shortNames.has(name),
    'is an abbreviation with several meanings; name a city, such as Asia/Shanghai or America/Chicago',
  );

/** The IANA database has these. Intl accepts others, such as CST, which is also the time of China. */
const shortNames = new Set(
  ['CET', 'EET', 'EST', 'GMT', 'HST', 'MET', 'MST'].concat([
    'PRC',
    'ROC',
    'ROK',
    'UCT',
    'UTC',
    'WET',
  ]),
);

/** Returns what Intl calls a time zone; undefined for a name that it does not know. */
function resolved(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Names that Intl prefers, and that Debian 13 and Ubuntu 24.04 have in the package tzdata-legacy only. */
const former: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  CST6CDT: 'America/Chicago',
  EST5EDT: 'America/New_York',
  'Europe/Kiev': 'Europe/Kyiv',
  MST7MDT: 'America/Denver',
  PST8PDT: 'America/Los_Angeles',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
};

/**
 * Returns the name of a time zone that every server has: `America/New_York` for `US/Eastern`, which needs
 * the package tzdata-legacy.
 */
export function cityOf(timeZone: string): string {
  const name = resolved(timeZone) ?? timeZone;
  return former[name] ?? name;
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
