import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import {
  cityOf,
  formatTime,
  setTimeZone,
  systemTimeZone,
  timeZone,
} from '#contract/text/time-zone.ts';

describe('the time zone of a site', () => {
  it.each(['Asia/Shanghai', 'UTC', 'Etc/UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+8'])(
    'accepts %s',
    (name) => {
      expect(timeZone.safeParse(name).success).toBe(true);
    },
  );

  it.each(['CST', 'PST', 'IST', 'BST'])('rejects the abbreviation %s, and says why', (name) => {
    const { error } = timeZone.safeParse(name);
    expect(error?.issues[0]?.message).toContain('name a city, such as Asia/Shanghai');
  });

  it.each(['asia/shanghai', '+08:00', 'Asia/Peking', 'Asia/../Shanghai', '北京', ''])(
    'rejects %s',
    (name) => {
      expect(timeZone.safeParse(name).success).toBe(false);
    },
  );
});

/** Of tzdata-legacy 2026f in Debian 13, which servers do not have. */
const list = new URL('former-time-zones.txt', import.meta.url);
const former = readFileSync(list, 'utf8').trim().split(/\s+/);

describe('cityOf', () => {
  it('returns a name that every server has for each former name', () => {
    expect(former).toHaveLength(113);
    expect(former.filter((name) => former.includes(cityOf(name)))).toEqual([]);
    expect(former.map((name) => timeZone.safeParse(name).success)).not.toContain(false);
  });

  it('returns such a name for each time zone that a computer can have', () => {
    const cities = Intl.supportedValuesOf('timeZone').map(cityOf);
    expect(cities.filter((name) => former.includes(name))).toEqual([]);
    expect(cities.filter((name) => !timeZone.safeParse(name).success)).toEqual([]);
  });

  it.each([
    ['US/Eastern', 'America/New_York'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['PRC', 'Asia/Shanghai'],
    ['Asia/Shanghai', 'Asia/Shanghai'],
  ])('returns for %s the city %s', (name, city) => {
    expect(cityOf(name)).toBe(city);
  });
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
