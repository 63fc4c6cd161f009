import type { Problem } from '#contract/errors.ts';
import type { Context } from '../stage/stage.ts';
import { dateHints } from './date-hints.ts';

/** A clock that is off by less does no harm. Milliseconds. */
const tolerance = 5 * 60 * 1000;
/** No release is installed so long after it was made; a hint beyond that is a lie or a mistake. */
const longest = 5 * 365 * 24 * 3600 * 1000;

/**
 * The time to set the clock to, or nothing where it may stay. Only forwards: the release is signed,
 * so it is later than `created`; how much later nobody has proved, and what a server on the network
 * says about it is a hint within bounds.
 * @param hints what others say the time is, in milliseconds since 1970
 */
export function correctedTime(
  now: number,
  { created, hints }: { readonly created: number; readonly hints: readonly number[] },
): number | undefined {
  const sane = hints.filter((hint) => hint >= created && hint <= created + longest);
  // The earliest one: a wrong clock elsewhere moves ours no further than necessary.
  const target = sane.length > 0 ? Math.min(...sane) : created;
  return target - now > tolerance ? target : undefined;
}

/** What would be done about the clock, as a sentence. */
export async function describeClock(context: Context): Promise<string[]> {
  const time = await timeToSet(context);
  return time === undefined ? [] : [`set the clock forwards to ${new Date(time).toISOString()}`];
}

/** Sets a clock forwards that is behind: TLS refuses certificates that are not valid yet. */
export async function settleClock(context: Context): Promise<void> {
  const { host, report } = context;
  const time = await timeToSet(context);
  if (time === undefined) return;
  await host.run('date', ['--utc', `--set=@${Math.floor(time / 1000)}`]);
  report.warn(`the clock was behind and was set to ${new Date(time).toISOString()}`);
}

/** Where it cannot be set, because the kernel is somebody else's or forbids it. */
export async function judgeClock({ release }: Context): Promise<Problem[]> {
  const behind = Date.parse(release.created) - Date.now();
  if (behind <= tolerance) return [];
  return [
    {
      message: `its clock says ${new Date().toISOString()}, before the release was made`,
      hint: 'Set the clock (`date --set`), on the machine that runs it if this is a container.',
    },
  ];
}

/**
 * A clock that is kept by NTP is right, and nobody else is asked then; that of a container belongs
 * to the machine around it.
 */
async function timeToSet({ host, server, release, site }: Context): Promise<number | undefined> {
  if (server.container !== undefined) return undefined;
  const { stdout } = await host.run(
    'timedatectl',
    ['show', '--property=NTPSynchronized', '--value'],
    { accept: [1] },
  );
  if (stdout.trim() === 'yes') return undefined;
  const hints = await host.outside.measure(() => dateHints(site));
  return correctedTime(Date.now(), { created: Date.parse(release.created), hints });
}
