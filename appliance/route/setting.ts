import type { Site } from '#contract/site/site.ts';
import { readText, removeFile, statIfPresent, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/** A settings file of the route. */
export interface Setting {
  readonly path: string;
  /** For whom the file is, as in "set the proxy for packages". */
  readonly purpose: string;
  /** What the file sets; default: the proxy. */
  readonly subject?: string | undefined;
  /** Undefined: the file must not exist. */
  readonly text: string | undefined;
  readonly mode: number;
  /** The group that may read the file; default: that of root. */
  readonly gid?: number | undefined;
  /** Checks a file before it is placed. @throws LandfallError */
  readonly verify?: (host: Host, text: string) => Promise<void>;
}

/** Returns what files set that contain both the proxy and the certificate authorities of a site. */
export function subjectOf({ route, ca }: Pick<Site, 'route' | 'ca'>): string | undefined {
  return route.mode === 'direct' && ca !== undefined ? 'the certificate authorities' : undefined;
}

/** Returns what {@link settle} would do with a file; undefined if it is correct. */
export async function describeSetting(host: Host, setting: Setting): Promise<string | undefined> {
  const { path, purpose, text, subject = 'the proxy' } = setting;
  if (text === undefined) {
    return (await readText(host, path)) === undefined
      ? undefined
      : `remove ${subject} for ${purpose}`;
  }
  return (await isSettled(host, setting)) ? undefined : `set ${subject} for ${purpose}`;
}

/** Writes or removes a file of the route. */
export async function settle(host: Host, setting: Setting): Promise<void> {
  const { path, text, mode, gid, verify } = setting;
  if (text === undefined) return await removeFile(host, path);
  if (await isSettled(host, setting)) return;
  await verify?.(host, text);
  const owner = gid === undefined ? {} : { uid: process.getuid?.() ?? 0, gid };
  await writeText(host, path, text, { mode, ...owner });
}

async function isSettled(host: Host, { path, text, mode, gid }: Setting): Promise<boolean> {
  if ((await readText(host, path)) !== text) return false;
  const found = await statIfPresent(host, path);
  return (found?.mode ?? 0) % 0o10000 === mode && (gid === undefined || found?.gid === gid);
}
