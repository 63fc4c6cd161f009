import type { Site } from '#contract/site/site.ts';
import { minutesOf, windowOf } from '#contract/site/updates.ts';
import { systemTimeZone } from '#contract/text/time-zone.ts';

const minute = 60_000;
const day = 24 * 60;

/**
 * Returns how long the window for updates stays open, in milliseconds; undefined outside of it. What
 * counts is the clock on the wall: a time that a change to summer time skips never comes, and a window
 * that ends within a repeated hour ends the first time.
 */
export function timeLeft(
  now: Date,
  site: Pick<Site, 'updates' | 'timezone'>,
  timeZone = site.timezone ?? systemTimeZone(),
): number | undefined {
  const { start, end } = windowOf(site);
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' });
  const isOpen = (time: number) => isBetween(minutesOf(clock.format(time)), start, end);
  const first = now.getTime();
  if (!isOpen(first)) return undefined;
  const next = Math.floor(first / minute) * minute;
  for (let minutes = 1; minutes < day; minutes += 1) {
    const time = next + minutes * minute;
    if (!isOpen(time)) return time - first;
  }
  return day * minute;
}

/** Whether a time is in a period that may pass midnight. Minutes of the day. */
function isBetween(time: number, start: number, end: number): boolean {
  return start < end ? start <= time && time < end : start <= time || time < end;
}
