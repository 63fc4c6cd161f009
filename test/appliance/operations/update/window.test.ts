import { describe, expect, it } from 'vitest';
import { timeLeft } from '../../../../appliance/operations/update/window.ts';

/** Returns the minutes until the window closes; undefined outside of it. */
function minutesLeft(time: string, window: string | undefined, timezone: string) {
  const updates = { channels: [], mode: 'install' as const, window };
  const left = timeLeft(new Date(time), { updates, timezone });
  return left === undefined ? undefined : left / 60_000;
}

describe('the window for updates', () => {
  it.each([
    ['before it', '2026-06-01T02:59:59Z', undefined],
    ['at its start', '2026-06-01T03:00:00Z', 120],
    ['between two minutes', '2026-06-01T03:00:30Z', 119.5],
    ['in its last minute', '2026-06-01T04:59:00Z', 1],
    ['at its end', '2026-06-01T05:00:00Z', undefined],
    ['in the afternoon', '2026-06-01T15:30:00Z', undefined],
  ])('opens from 03:00 to 05:00 without a setting: %s', (_when, time, left) => {
    expect(minutesLeft(time, undefined, 'UTC')).toBe(left);
  });

  it.each([
    ['2026-06-01T23:29:00Z', undefined],
    ['2026-06-01T23:30:00Z', 120],
    ['2026-06-02T00:00:00Z', 90],
    ['2026-06-02T01:29:00Z', 1],
    ['2026-06-02T01:30:00Z', undefined],
  ])('passes midnight: %s', (time, left) => {
    expect(minutesLeft(time, '23:30-01:30', 'UTC')).toBe(left);
  });

  it.each([
    ['Asia/Shanghai', '2026-06-01T19:00:00Z', 120],
    ['Asia/Shanghai', '2026-06-01T03:00:00Z', undefined],
    ['Asia/Kathmandu', '2026-06-01T21:15:00Z', 120],
    ['America/St_Johns', '2026-06-01T05:30:00Z', 120],
  ])('follows the time zone of the site: %s at %s', (zone, time, left) => {
    expect(minutesLeft(time, undefined, zone)).toBe(left);
  });

  it('lasts all day if it ends when it starts', () => {
    expect(minutesLeft('2026-06-01T12:00:00Z', '03:00-03:00', 'UTC')).toBe(24 * 60);
  });
});

/** In Berlin, 2026-03-29 has no time from 02:00 to 03:00, and 2026-10-25 has it twice. */
describe('the window at a change of the clock', () => {
  it.each([
    // 01:30 CET; the clock goes from 02:00 to 03:00.
    ['loses the hour that is skipped', '01:30-03:30', '2026-03-29T00:30:00Z', 60],
    ['opens after the gap that has its start', '02:15-04:00', '2026-03-29T01:00:00Z', 60],
    ['stays closed if it has only skipped times', '02:15-02:45', '2026-03-29T01:00:00Z', undefined],
    [
      'stays closed before a gap that has all of it',
      '02:15-02:45',
      '2026-03-29T00:59:00Z',
      undefined,
    ],
    // 01:30 CEST; the clock goes from 03:00 back to 02:00.
    ['gains the hour that is repeated', '01:30-03:30', '2026-10-24T23:30:00Z', 180],
    ['ends the first time in a repeated hour', '01:30-02:30', '2026-10-24T23:30:00Z', 60],
    ['opens again for the rest of a repeated hour', '01:30-02:30', '2026-10-25T01:10:00Z', 20],
    ['closes after the repeated hour', '01:30-02:30', '2026-10-25T01:30:00Z', undefined],
    ['passes midnight before the change', '23:30-02:30', '2026-10-24T21:30:00Z', 180],
  ])('%s: %s at %s', (_what, window, time, left) => {
    expect(minutesLeft(time, window, 'Europe/Berlin')).toBe(left);
  });

  it('follows a zone whose clock changes by half an hour', () => {
    // Lord Howe Island goes from 02:00 back to 01:30 on 2026-04-05.
    expect(minutesLeft('2026-04-04T14:00:00Z', '01:00-02:00', 'Australia/Lord_Howe')).toBe(90);
    expect(minutesLeft('2026-04-04T15:00:00Z', '01:00-02:00', 'Australia/Lord_Howe')).toBe(30);
  });
});
