import { happenedWithin } from '#contract/clock.ts';
import { removeFile, statIfPresent, writeText } from '../files.ts';
import type { Host } from '../host.ts';

/** Its mtime is the time of the last update. In /run, so a reboot removes it. */
const stamp = 'run/landfall/packages-read';
/** Settings whose change makes the lists stale. The mtime of a folder changes with its files. */
const sources = ['etc/apt/sources.list', 'etc/apt/sources.list.d', 'etc/apt/apt.conf.d'];
const freshFor = 60 * 60 * 1000;

/** Reports whether apt updated its lists within the last hour, with the current settings. */
export async function listsAreFresh(host: Host): Promise<boolean> {
  const read = await changed(host, stamp);
  if (read === undefined || !happenedWithin(freshFor, read)) return false;
  const since = await Promise.all(sources.map((path) => changed(host, path)));
  return since.every((time) => time === undefined || time <= read);
}

export async function markListsFresh(host: Host): Promise<void> {
  await writeText(host, stamp, '');
}

/** Changes apt settings that do not affect the lists. Fresh lists stay fresh. */
export async function changeAptSettings(host: Host, change: () => Promise<void>): Promise<void> {
  const fresh = await listsAreFresh(host);
  await change();
  if (fresh) await markListsFresh(host);
}

export async function forgetLists(host: Host): Promise<void> {
  await removeFile(host, stamp);
}

/** Returns the mtime in milliseconds since 1970; undefined for a missing file. */
async function changed(host: Host, path: string): Promise<number | undefined> {
  return (await statIfPresent(host, path))?.mtimeMs;
}
