import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Route } from '#contract/site/site.ts';
import {
  checkClock,
  correctClock,
  correctedTime,
  dateHints,
  describeClock,
} from '../../../../appliance/stages/preflight/clock.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { status } from '../../../faulty-server/faults.ts';
import { FaultyServer, type Handler } from '../../../faulty-server/faulty-server.ts';
import { HttpProxy } from '../../../faulty-server/http-proxy.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Sets the clock of this process, as Python sets that of a server. */
function python(line: string): string {
  vi.useFakeTimers({ now: Number(line.split(' ').at(-1)) * 1000, toFake: ['Date'] });
  return '';
}

const minute = 60_000;
const day = 24 * 60 * minute;
const created = Date.parse('2026-01-01T00:00:00Z');

describe('a slow clock', () => {
  it('sets a slow clock to the time of the hints', () => {
    const hints = [created + 10 * day];
    expect(correctedTime(0, { created, hints })).toBe(created + 10 * day);
  });

  it('sets a slow clock to the time of the release if there are no hints', () => {
    expect(correctedTime(0, { created, hints: [] })).toBe(created);
  });

  it('sets a slow clock to the earliest hint if hints differ', () => {
    const hints = [created + 300 * day, created + 10 * day];
    expect(correctedTime(0, { created, hints })).toBe(created + 10 * day);
  });

  it.each([
    ['earlier than the release', created - day],
    ['decades later', created + 20 * 365 * day],
  ])('ignores a hint that is %s', (_what, hint) => {
    expect(correctedTime(0, { created, hints: [hint] })).toBe(created);
  });
});

describe('a correct clock', () => {
  it.each([
    ['correct', created + 10 * day],
    ['behind by a minute', created + 10 * day - minute],
    ['ahead by a minute', created + 10 * day + minute],
  ])('leaves the clock unchanged when it is %s', (_what, now) => {
    expect(correctedTime(now, { created, hints: [created + 10 * day] })).toBeUndefined();
  });
});

describe('a fast clock', () => {
  const now = created + 400 * day;

  it('sets a fast clock back to the latest hint if all hints agree', () => {
    const hints = [created + 10 * day, created + 11 * day];
    expect(correctedTime(now, { created, hints })).toBe(created + 11 * day);
  });

  it.each([
    ['there are no hints', []],
    ['a hint agrees with it', [created + 10 * day, now]],
    ['a hint is before the release', [created + 10 * day, created - day]],
    ['a hint is decades later', [created + 10 * day, created + 20 * 365 * day]],
  ])('leaves a fast clock unchanged when %s', (_what, hints) => {
    expect(correctedTime(now, { created, hints })).toBeUndefined();
  });
});

it('a clock is never set before the release, nor back unless all hints agree', () => {
  const near = fc.integer({ min: created - day, max: created + 800 * day });
  const time = fc.oneof(fc.integer({ min: 0, max: 4e12 }), near);
  fc.assert(
    fc.property(time, fc.array(time), (now, hints) => {
      const corrected = correctedTime(now, { created, hints });
      if (corrected === undefined) return;
      expect(corrected).toBeGreaterThanOrEqual(created);
      if (corrected < now) expect(hints.every((hint) => hint <= corrected)).toBe(true);
    }),
  );
});

describe('a server whose clock is before its release', () => {
  /** A release created tomorrow, as seen by a slow clock. */
  const release = { created: new Date(Date.now() + day).toISOString() };
  /** A closed port. */
  const site = { release: ['http://127.0.0.1:9/'] };

  it('sets it to the time of the release if there are no hints', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'no', python3: python });
    const context = contextFor(host, { release, site });
    expect(await describeClock(context)).toEqual([
      expect.stringMatching(/^set the clock forward to \d{4}-/),
    ]);
    await correctClock(context);
    const seconds = Math.floor(Date.parse(release.created) / 1000);
    expect(host.ran.at(-1)).toMatch(new RegExp(`^python3 -c .*clock_settime.* ${seconds}$`));
    expect(context.warned).toHaveLength(1);
  });

  it('fails by name if the clock still shows the wrong time', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'no', python3: '' });
    const context = contextFor(host, { release, site });
    await expect(correctClock(context)).rejects.toMatchObject({
      code: 'SERVER_UNFIT',
      message: expect.stringMatching(/^the clock cannot be set: \S+ .* instead of \S+ /),
    });
    expect(context.warned).toEqual([]);
  });

  it('keeps its clock if NTP has synchronised it', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'yes' });
    await correctClock(contextFor(host, { release, site }));
    expect(host.ran.filter((line) => line.startsWith('python3'))).toEqual([]);
  });

  it('rejects a clock before the release in a container, which cannot set the clock', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'no' });
    const context = contextFor(host, { release, site, server: { container: 'lxc' } });
    expect(await describeClock(context)).toEqual([]);
    await correctClock(context);
    expect(host.ran).toEqual([]);
    expect(await checkClock(context)).toEqual([
      {
        message: expect.stringMatching(
          /^the clock is wrong: it shows .*, which is before the release date$/,
        ),
        hint: expect.stringContaining('container'),
      },
    ]);
  });
});

describe('a server whose clock is ahead of its download sources', () => {
  const release = { created: new Date(Date.now() - 10 * day).toISOString() };
  let place: FaultyServer;
  const dated = (at: number) => status(200, { date: new Date(at).toUTCString() });
  const given = (container?: string) => {
    const host = TemporaryHost.with({}, { timedatectl: 'no', python3: python });
    const site = { release: [place.origin] };
    const server = container === undefined ? {} : { container };
    return { host, context: contextFor(host, { release, site, server }) };
  };

  beforeAll(async () => {
    place = await FaultyServer.start(dated(Date.now() - 5 * day));
  });
  afterAll(() => place.close());

  it('sets a clock that is ahead of its download sources back, with a warning', async () => {
    const { host, context } = given();
    expect(await describeClock(context)).toEqual([
      expect.stringMatching(/^set the clock back to \d{4}-/),
    ]);
    await correctClock(context);
    expect(host.ran.at(-1)).toMatch(/clock_settime.* \d+$/);
    expect(context.warned).toEqual([expect.stringMatching(/^the clock was ahead and was set to /)]);
  });

  it('rejects a clock ahead of its sources in a container, which cannot set the clock', async () => {
    const { host, context } = given('lxc');
    await correctClock(context);
    expect(host.ran).toEqual([]);
    expect(await checkClock(context)).toEqual([
      {
        message: expect.stringMatching(
          /^the clock is wrong: it shows .*, but the download sources report \d{4}-/,
        ),
        hint: expect.stringContaining('container'),
      },
    ]);
  });

  it('accepts a clock in a container if it is ahead by one hour', async () => {
    place.answer(dated(Date.now() - 60 * minute));
    expect(await checkClock(given('lxc').context)).toEqual([]);
  });
});

const direct: Route = { mode: 'direct' };
const noon = 'Sat, 21 Nov 2026 12:00:00 GMT';
const says =
  (date: string): Handler =>
  ({ response }) => {
    response.sendDate = false;
    response.writeHead(301, { date, location: 'https://elsewhere.example/' }).end();
  };

const running: Array<{ close(): Promise<void> }> = [];
afterAll(() => Promise.all(running.map((each) => each.close())));

async function place(...given: Parameters<typeof FaultyServer.start>): Promise<string> {
  const server = await FaultyServer.start(...given);
  running.push(server);
  return server.url('/').href;
}

describe('the time that download sources send', () => {
  it('reads the time from the Date header of any response, including redirects', async () => {
    const release = [await place(says(noon))];
    expect(await dateHints({ release, route: direct })).toEqual([Date.parse(noon)]);
  });

  it('reads the time despite a certificate that a wrong clock would reject', async () => {
    const tls = new CertificateAuthority().issue({ days: -1 });
    const release = [await place(says(noon), { tls })];
    expect(await dateHints({ release, route: direct })).toEqual([Date.parse(noon)]);
  });

  it('ignores an invalid or missing time of a download source', async () => {
    const silent = 'http://127.0.0.1:9/';
    const release = [await place(says('yesterday')), silent, await place(says(noon))];
    expect(await dateHints({ release, route: direct })).toEqual([Date.parse(noon)]);
  });
});

describe('the time behind a proxy', () => {
  it('requests the time through the proxy', async () => {
    const proxy = await HttpProxy.start();
    running.push(proxy);
    const route: Route = { mode: 'http-proxy', url: proxy.url, no_proxy: [] };
    // An unresolvable name: the request fails unless it uses the proxy.
    await dateHints({ release: ['http://landfall.invalid/'], route });
    expect(proxy.asked).toEqual([expect.stringContaining('landfall.invalid')]);
  });

  it('requests no time through a SOCKS proxy', async () => {
    const release = [await place(says(noon))];
    const route: Route = { mode: 'socks5', url: 'socks5h://127.0.0.1:9', no_proxy: [] };
    expect(await dateHints({ release, route })).toEqual([]);
  });
});
