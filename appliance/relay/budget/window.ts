/** The calendar windows of budgets, in UTC. */

/** A day such as `2027-03-31`. Days sort as text. */
export type Day = string;

/** The last millisecond of the year 9999: later years have more digits, and would not sort. */
const lastTime = Date.UTC(10_000, 0, 1) - 1;
const dayLength = 86_400_000;

/** The last result: each request asks for the current day several times. */
let known = { number: -1, day: '' };

/** @param time milliseconds since 1970 */
export function dayOf(time: number): Day {
  const number = Math.floor(Math.min(Math.max(time, 0), lastTime) / dayLength);
  if (known.number !== number)
    known = { number, day: new Date(number * dayLength).toISOString().slice(0, 10) };
  return known.day;
}

/** Returns the day some days earlier. */
export function daysBefore(day: Day, count: number): Day {
  return dayOf(Date.parse(day) - count * dayLength);
}

/** Returns the month of a day: `2027-03`. */
export function monthOf(day: Day): string {
  return day.slice(0, 7);
}

/** Returns when the window ends that contains a day, in milliseconds since 1970. */
export function endOf(window: 'day' | 'month', day: Day): number {
  if (window === 'day') return Date.parse(day) + dayLength;
  const first = new Date(`${monthOf(day)}-01T00:00:00Z`);
  return first.setUTCMonth(first.getUTCMonth() + 1);
}

/** Days with requests that are kept: the current month and the month before it may be asked for. */
const keptDays = 62;

/**
 * Returns the days whose usage stays. Days with requests are counted and not days of the calendar: a clock
 * that was years ahead for a moment must not remove what was used today.
 */
export function daysToKeep(used: readonly Day[], current: Day): ReadonlySet<Day> {
  const days = [...new Set(used)].sort();
  const [past, ahead] = [days.filter((day) => day <= current), days.filter((day) => day > current)];
  return new Set([...past.slice(-keptDays), ...ahead.slice(-keptDays)]);
}
