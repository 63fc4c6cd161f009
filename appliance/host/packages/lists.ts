import { stat } from 'node:fs/promises';
import { isMissing, removeFile, writeText } from '../files.ts';
import type { Host } from '../host.ts';

/** There since apt read its lists; a reboot forgets it. */
const stamp = 'run/landfall/packages-read';
/** What makes read lists out of date when it changes. Folders change with the files in them. */
const sources = ['etc/apt/sources.list', 'etc/apt/sources.list.d', 'etc/apt/apt.conf.d'];
const freshFor = 60 * 60 * 1000;

/** Whether apt has read its lists lately, from the places that it would read them from now. */
export async function listsAreFresh(host: Host): Promise<boolean> {
  const read = await changed(host, stamp);
  if (read === undefined || Date.now() - read > freshFor) return false;
  const since = await Promise.all(sources.map((path) => changed(host, path)));
  return since.every((time) => time === undefined || time <= read);
}

export async function markListsFresh(host: Host): Promise<void> {
  await writeText(host, stamp, '');
}

/** Changes settings of apt that its lists do not depend on: lists that were fresh stay so. */
export async function changeAptSettings(host: Host, change: () => Promise<void>): Promise<void> {
  const fresh = await listsAreFresh(host);
  await change();
  if (fresh) await markListsFresh(host);
}

export async function forgetLists(host: Host): Promise<void> {
  await removeFile(host, stamp);
}

/** Milliseconds since 1970. */
async function changed(host: Host, path: string): Promise<number | undefined> {
  try {
    return (await stat(host.path(path))).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
