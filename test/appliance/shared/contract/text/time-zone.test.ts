import { afterEach, describe, expect, it } from 'vitest';
import { formatTime, setTimeZone, systemTimeZone, timeZone } from '#contract/text/time-zone.ts';

describe('the time zone of a site', () => {
  it.each(['Asia/Shanghai', 'UTC', 'Etc/UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+8'])(
    'accepts %s',
    (name) => {
      expect(timeZone.safeParse(name).success).toBe(true);
    },
  );

  it.each(['asia/shanghai', '+08:00', 'Asia/Peking', 'Asia/../Shanghai', '北京', ''])(
    'rejects %s',
    (name) => {
      expect(timeZone.safeParse(name).success).toBe(false);
    },
  );
});

describe('formatTime', () => {
  afterEach(() => setTimeZone('UTC'));
  const time = new Date('2026-11-24T17:30:00Z');

  it('prints the time and the name of a time zone', () => {
    expect(formatTime(time, 'Asia/Shanghai')).toBe('2026-11-25 01:30 Asia/Shanghai');
  });

  it('prints the time in the time zone of the process, which is UTC at first', () => {
    expect(formatTime(time)).toBe('2026-11-24 17:30 UTC');
    setTimeZone('Asia/Shanghai');
    expect(formatTime(time)).toBe('2026-11-25 01:30 Asia/Shanghai');
  });

  it('prints the time in the time zone of the system without one of the process', () => {
    setTimeZone(undefined);
    expect(formatTime(time)).toBe(formatTime(time, systemTimeZone()));
  });
});
