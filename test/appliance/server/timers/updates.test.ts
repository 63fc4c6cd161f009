import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { unattendedTimer, updateTimer } from '../../../../appliance/server/timers/updates.ts';
import { smallSite } from '../../context.ts';

const channels = ['https://downloads.example.com/landfall/stable/'];
const siteWith = (updates: object, rest: object = {}) =>
  siteSchema.parse({ ...smallSite, ...rest, updates });
const textOf = ({ files = [] }: ReturnType<typeof unattendedTimer>) =>
  files.map(({ text }) => text).join('\n');

describe('the timers of updates', () => {
  it.each([
    [{}, false, false],
    [{ channels }, true, false],
    [{ channels, mode: 'off' }, false, false],
    [{ channels, mode: 'install' }, true, true],
  ])('run as the mode says: %o', (updates, checks, installs) => {
    const site = siteWith(updates);
    expect(updateTimer(site).unwanted === undefined).toBe(checks);
    expect(unattendedTimer(site).unwanted === undefined).toBe(installs);
  });

  it('start at the start of the window, in the time zone of the site', () => {
    const mode = 'install';
    expect(textOf(unattendedTimer(siteWith({ channels, mode })))).toContain(
      'OnCalendar=*-*-* 03:00:00\n',
    );
    const night = siteWith(
      { channels, mode, window: '23:30-01:30' },
      { timezone: 'Asia/Shanghai' },
    );
    expect(textOf(unattendedTimer(night))).toContain('OnCalendar=*-*-* 23:30:00 Asia/Shanghai\n');
    expect(unattendedTimer(night).summary?.en).toBe('install updates between 23:30 and 01:30');
  });
});
