import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  correctedTime,
  describeClock,
  judgeClock,
  settleClock,
} from '../../../appliance/preflight/clock.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const created = Date.parse('2026-01-01T00:00:00Z');

describe('a clock that is behind', () => {
  it('is set to what the others say', () => {
    const hints = [created + 10 * day];
    expect(correctedTime(0, { created, hints })).toBe(created + 10 * day);
  });

  it('is set to the time of the release where nobody says anything', () => {
    expect(correctedTime(0, { created, hints: [] })).toBe(created);
  });

  it('follows the most careful one of those who disagree', () => {
    const hints = [created + 300 * day, created + 10 * day];
    expect(correctedTime(0, { created, hints })).toBe(created + 10 * day);
  });

  it.each([
    ['earlier than the release', created - day],
    ['decades later', created + 20 * 365 * day],
  ])('does not follow somebody who says it is %s', (_what, hint) => {
    expect(correctedTime(0, { created, hints: [hint] })).toBe(created);
  });
});

describe('a clock that is right, or ahead', () => {
  it.each([
    ['right', created + 10 * day],
    ['behind by a minute', created + 10 * day - minute],
    ['ahead', created + 400 * day],
  ])('stays when it is %s', (_what, now) => {
    expect(correctedTime(now, { created, hints: [created + 10 * day] })).toBeUndefined();
  });
});

it('never goes backwards, nor before the release, whatever others say', () => {
  const time = fc.integer({ min: 0, max: 4e12 });
  fc.assert(
    fc.property(time, fc.array(time), (now, hints) => {
      const corrected = correctedTime(now, { created, hints });
      if (corrected === undefined) return;
      expect(corrected).toBeGreaterThan(now);
      expect(corrected).toBeGreaterThanOrEqual(created);
    }),
  );
});

describe('a server whose clock is before its release', () => {
  /** Made tomorrow, as it seems to a clock that is behind. */
  const release = { created: new Date(Date.now() + day).toISOString() };
  /** Nobody listens there. */
  const site = { release: ['http://127.0.0.1:9/'] };

  it('has it set to the time of the release, when nobody tells more', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'no' });
    const context = contextFor(host, { release, site });
    expect(await describeClock(context)).toEqual([
      expect.stringMatching(/^set the clock forwards to \d{4}-/),
    ]);
    await settleClock(context);
    const seconds = Math.floor(Date.parse(release.created) / 1000);
    expect(host.ran).toContain(`date --utc --set=@${seconds}`);
    expect(context.warned).toHaveLength(1);
  });

  it('is believed where NTP says that it is right', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'yes' });
    await settleClock(contextFor(host, { release, site }));
    expect(host.ran.filter((line) => line.startsWith('date'))).toEqual([]);
  });

  it('is refused where the clock belongs to somebody else', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'no' });
    const context = contextFor(host, { release, site, server: { container: 'lxc' } });
    expect(await describeClock(context)).toEqual([]);
    await settleClock(context);
    expect(host.ran).toEqual([]);
    expect(await judgeClock(context)).toEqual([
      {
        message: expect.stringMatching(/^its clock says .*, before the release was made$/),
        hint: expect.stringContaining('container'),
      },
    ]);
  });
});
