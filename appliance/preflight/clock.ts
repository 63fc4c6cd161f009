import type { Problem } from '#contract/errors.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Context } from '../stage/stage.ts';
import { dateHints } from './date-hints.ts';

/** Smaller errors of the clock are ignored. Milliseconds. */
const tolerance = 5 * 60 * 1000;
/** A clock that is further ahead rejects valid certificates. Milliseconds. */
const harmful = 24 * 3600 * 1000;
/** Time hints further than this after the release date are rejected as implausible. Milliseconds. */
const longest = 5 * 365 * 24 * 3600 * 1000;

/**
 * Returns the time to set the clock to, or undefined if the clock is correct. The release is signed,
 * so the present time is later than `created`. Times from the network are untrusted and only accepted
 * within bounds. One is enough to set the clock forward; all must agree to set it back.
 * @param hints times reported by servers, in milliseconds since 1970
 */
export function correctedTime(
  now: number,
  { created, hints }: { readonly created: number; readonly hints: readonly number[] },
): number | undefined {
  const sane = hints.filter((hint) => hint >= created && hint <= created + longest);
  // The earliest hint limits the effect of a wrong clock on another server.
  const forwards = sane.length > 0 ? Math.min(...sane) : created;
  if (forwards - now > tolerance) return forwards;
  const back = Math.max(...sane);
  const isUnanimous = sane.length > 0 && sane.length === hints.length;
  return isUnanimous && now - back > tolerance ? back : undefined;
}

/** Describes the correction of the clock, if one is needed. */
export async function describeClock(context: Context): Promise<string[]> {
  const time = await timeToSet(context);
  if (time === undefined) return [];
  const direction = time > Date.now() ? 'forward' : 'back';
  return [`set the clock ${direction} to ${formatTime(new Date(time))}`];
}

/** Corrects the clock: with a wrong one, TLS rejects valid certificates. */
export async function settleClock(context: Context): Promise<void> {
  const { host, report } = context;
  const time = await timeToSet(context);
  if (time === undefined) return;
  const was = time > Date.now() ? 'behind' : 'ahead';
  await host.run('date', ['--utc', `--set=@${Math.floor(time / 1000)}`]);
  const text = `the clock was ${was} and was set to ${formatTime(new Date(time))}`;
  report.warn({ kind: 'clock', subject: 'system clock', text });
}

/** Reports a wrong clock that cannot be set, as in a container. */
export async function judgeClock(context: Context): Promise<Problem[]> {
  const [now, created] = [Date.now(), Date.parse(context.release.created)];
  if (created - now > tolerance) return [wrong(now, 'which is before the release date')];
  if (context.server.container === undefined) return [];
  const time = await rightTime(context);
  if (time === undefined || now - time <= harmful) return [];
  return [wrong(now, `but the download sources report ${formatTime(new Date(time))}`)];
}

function wrong(now: number, because: string): Problem {
  return {
    message: `the clock is wrong: it shows ${formatTime(new Date(now))}, ${because}`,
    hint: 'Set the clock with `date --set`; for a container, set it on the host.',
  };
}

/** In a container the clock belongs to the host. */
async function timeToSet(context: Context): Promise<number | undefined> {
  return context.server.container === undefined ? await rightTime(context) : undefined;
}

/** Trusts a clock that is synchronised by NTP; asks the download sources otherwise. */
async function rightTime({ host, release, site }: Context): Promise<number | undefined> {
  const { stdout } = await host.run(
    'timedatectl',
    ['show', '--property=NTPSynchronized', '--value'],
    { accept: [1] },
  );
  if (stdout.trim() === 'yes') return undefined;
  const hints = await host.outside.measure(() => dateHints(site));
  return correctedTime(Date.now(), { created: Date.parse(release.created), hints });
}
