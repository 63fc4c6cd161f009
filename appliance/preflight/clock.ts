import type { Problem } from '#contract/errors.ts';
import type { Context } from '../stage/stage.ts';
import { dateHints } from './date-hints.ts';

/** A clock that is off by less does no harm. Milliseconds. */
const tolerance = 5 * 60 * 1000;
/** One that is ahead by more, and cannot be set, refuses certificates that are in use. Milliseconds. */
const harmful = 24 * 3600 * 1000;
/** No release is installed so long after it was made; a hint beyond that is a lie or a mistake. */
const longest = 5 * 365 * 24 * 3600 * 1000;

/**
 * The time to set the clock to, or nothing where it may stay. The release is signed, so it is later
 * than `created`; how much later nobody has proved, and what servers on the network say about it are
 * hints within bounds. One of them is enough to go forwards, all of them have to agree to go back.
 * @param hints what others say the time is, in milliseconds since 1970
 */
export function correctedTime(
  now: number,
  { created, hints }: { readonly created: number; readonly hints: readonly number[] },
): number | undefined {
  const sane = hints.filter((hint) => hint >= created && hint <= created + longest);
  // The nearest one: a wrong clock elsewhere moves ours no further than necessary.
  const forwards = sane.length > 0 ? Math.min(...sane) : created;
  if (forwards - now > tolerance) return forwards;
  const back = Math.max(...sane);
  const isUnanimous = sane.length > 0 && sane.length === hints.length;
  return isUnanimous && now - back > tolerance ? back : undefined;
}

/** What would be done about the clock, as a sentence. */
export async function describeClock(context: Context): Promise<string[]> {
  const time = await timeToSet(context);
  if (time === undefined) return [];
  const direction = time > Date.now() ? 'forwards' : 'back';
  return [`set the clock ${direction} to ${new Date(time).toISOString()}`];
}

/** Sets a clock that is behind or ahead: TLS refuses certificates that are not valid at its time. */
export async function settleClock(context: Context): Promise<void> {
  const { host, report } = context;
  const time = await timeToSet(context);
  if (time === undefined) return;
  const was = time > Date.now() ? 'behind' : 'ahead';
  await host.run('date', ['--utc', `--set=@${Math.floor(time / 1000)}`]);
  const text = `the clock was ${was} and was set to ${new Date(time).toISOString()}`;
  report.warn({ kind: 'clock', subject: 'system clock', text });
}

/** Where it cannot be set, because the kernel is somebody else's or forbids it. */
export async function judgeClock(context: Context): Promise<Problem[]> {
  const [now, created] = [Date.now(), Date.parse(context.release.created)];
  if (created - now > tolerance) return [wrong(now, 'before the release was made')];
  if (context.server.container === undefined) return [];
  const time = await rightTime(context);
  if (time === undefined || now - time <= harmful) return [];
  return [wrong(now, `but the places that hold the release say ${new Date(time).toISOString()}`)];
}

function wrong(now: number, because: string): Problem {
  return {
    message: `its clock says ${new Date(now).toISOString()}, ${because}`,
    hint: 'Set the clock (`date --set`), on the machine that runs it if this is a container.',
  };
}

/** That of a container belongs to the machine around it. */
async function timeToSet(context: Context): Promise<number | undefined> {
  return context.server.container === undefined ? await rightTime(context) : undefined;
}

/** A clock that is kept by NTP is right, and nobody else is asked then. */
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
