import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { formatDuration } from '#contract/text/amount.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { readText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { storedBackups } from '../../server/records/backups.ts';
import type { Restic } from './restic.ts';

/** It becomes an argument of restic. */
const snapshotId = z.string().regex(/^[0-9a-f]{4,64}$/);

/** A string of a repository, which anyone may have written who can write there. @param max characters */
const line = (max: number) => z.string().transform((text) => plainLine(text, max));

/** What restic 0.14 and later print for each snapshot. */
const snapshotsSchema = z.nullable(
  z.array(
    z.object({
      id: snapshotId,
      short_id: snapshotId,
      time: z.string().refine((time) => !Number.isNaN(Date.parse(time))),
      hostname: line(253),
      tags: z.array(line(100)).nullish(),
    }),
  ),
);

export interface Snapshot {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly hostname: string;
  /** Version of the release that made it; null if unknown. */
  readonly release: string | null;
  /** Tag of the server that made it; null if unknown. */
  readonly server: string | null;
}

/** Returns the snapshots of a repository, the newest first. @throws LandfallError BACKUP_… */
export async function listSnapshots(restic: Restic): Promise<Snapshot[]> {
  const found = await restic.list('the backups', snapshotsSchema, ['snapshots']);
  // An empty list of Go may be null.
  return (found ?? [])
    .map(({ short_id: id, time, hostname, tags }) => ({
      ...{ id, at: new Date(time).toISOString(), hostname },
      release: partOf(tags, 'release-'),
      server: tags?.find((tag) => tag.startsWith('server-')) ?? null,
    }))
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function partOf(tags: readonly string[] | null | undefined, start: string): string | null {
  return tags?.find((tag) => tag.startsWith(start))?.slice(start.length) ?? null;
}

/** Returns the tag of this server, from its machine ID, which itself is private (machine-id(5)). */
export async function serverTag(host: Host): Promise<string> {
  const id = (await readText(host, 'etc/machine-id')) ?? '';
  return `server-${sha256Hex(Buffer.from(`landfall backup ${id.trim()}`)).slice(0, 12)}`;
}

/** The earlier server makes a backup daily, so one that did not for so long is off. Milliseconds. */
const silence = 26 * 3600_000;
/** A backup that is so much later than now is of a wrong clock. Milliseconds. */
export const clockError = 3600_000;

/**
 * Checks that a repository has backups of this server only: another server would delete them by its
 * own rules. Those of the server that this one was restored from are its own, unless that one still runs.
 * @returns the newest backup
 * @throws LandfallError BACKUP_ACCESS
 */
export async function expectOwn(restic: Restic): Promise<Snapshot | undefined> {
  const { host, name } = restic;
  const own = await serverTag(host);
  const { earlier } = await storedBackups.read(host);
  const snapshots = await listSnapshots(restic);
  const other = snapshots.find(({ server }) => server !== own && server !== earlier?.tag);
  if (other) {
    const message = `${name} has backups of another server: ${other.hostname}, of ${other.at.slice(0, 10)}`;
    throw new LandfallError('BACKUP_ACCESS', message, {
      hint: {
        en: 'Use another folder for this server: `backup.to` in the site.',
        zh: '为这台服务器换一个文件夹：站点的 `backup.to`。',
      },
    });
  }
  const last = snapshots.find(({ server }) => server !== own);
  if (earlier && last && isActive(last.at, earlier.stopped)) {
    const time = formatDuration(Math.max(0, Date.now() - Date.parse(last.at)));
    const message = `the earlier server ${last.hostname} made a backup at ${name} ${time} ago`;
    throw new LandfallError('BACKUP_ACCESS', message, {
      hint: {
        en: 'If it is stopped for good, run `sudo landfall backup run --take-over`.',
        zh: '如果那台服务器已不再使用，请运行 `sudo landfall backup run --take-over`。',
      },
    });
  }
  return snapshots[0];
}

/** A backup of the future does not show that the earlier server made one since it was stopped. */
function isActive(lastBackup: string, stopped: string | null): boolean {
  const time = Date.parse(lastBackup);
  if (Date.now() - time >= silence) return false;
  return stopped === null || (time > Date.parse(stopped) && time < Date.now() + clockError);
}
