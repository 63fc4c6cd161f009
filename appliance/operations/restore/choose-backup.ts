import semver from 'semver';
import { z } from 'zod';
import type { Release } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { type BackupManifest, manifestSchema } from '../backup/manifest.ts';
import type { Restic } from '../backup/restic.ts';
import { clockError, listSnapshots, type Snapshot } from '../backup/snapshots.ts';

/** A backup that can be restored. */
export interface ChosenBackup {
  readonly restic: Restic;
  readonly snapshot: Snapshot;
  readonly manifest: BackupManifest;
  /** Bytes of all its files. */
  readonly size: number;
}

/**
 * Returns a backup that this release can restore.
 * @param wanted ID of a snapshot, or its beginning; undefined: the newest one
 * @throws LandfallError BACKUP_MISSING, BACKUP_DAMAGED without a valid manifest, BACKUP_RELEASE for one
 *   of a release that this one cannot replace, BACKUP_…
 */
export async function chooseBackup(
  restic: Restic,
  release: Release,
  wanted?: string,
): Promise<ChosenBackup> {
  const snapshots = await listSnapshots(restic);
  const snapshot = wanted === undefined ? newestOf(snapshots) : named(snapshots, wanted);
  if (!snapshot) throw noBackup(restic, wanted, snapshots);
  const manifest = await readManifestOf(restic, snapshot);
  expectRestorable(release, manifest, snapshot);
  const stats = ['stats', snapshot.id, '--mode', 'restore-size', '--json', '--no-lock'];
  const printed = await restic.run(stats);
  const size = z.object({ total_size: z.int() }).safeParse(parseJson(Buffer.from(printed)));
  if (!size.success) throw damaged(restic, snapshot, 'its size cannot be read');
  return { restic, snapshot, manifest, size: size.data.total_size };
}

function newestOf(snapshots: readonly Snapshot[]): Snapshot | undefined {
  return snapshots.find(({ at }) => Date.parse(at) < Date.now() + clockError);
}

function named(snapshots: readonly Snapshot[], wanted: string): Snapshot | undefined {
  const found = matching(snapshots, wanted);
  return found.length === 1 ? found[0] : undefined;
}

function matching(snapshots: readonly Snapshot[], wanted: string): Snapshot[] {
  return snapshots.filter(({ id }) => id.startsWith(wanted) || wanted.startsWith(id));
}

function noBackup(
  { name }: Restic,
  wanted: string | undefined,
  snapshots: readonly Snapshot[],
): LandfallError {
  const [newest] = snapshots;
  const listed = (some: readonly Snapshot[]) => ({
    problems: some.slice(0, 10).map(({ id, at }) => ({ message: `${id} ${at}` })),
  });
  if (wanted !== undefined) {
    const several = matching(snapshots, wanted);
    const text = wanted.slice(0, 64);
    return several.length > 1
      ? new LandfallError('BACKUP_MISSING', `${name} has ${several.length} backups ${text}…`, {
          hint: { en: 'Use the whole ID of one of them.', zh: '写出其中一个的完整 ID。' },
          ...listed(several),
        })
      : new LandfallError('BACKUP_MISSING', `${name} has no backup ${text}`, {
          hint: {
            en: 'Use one of the list: `sudo landfall backup list`.',
            zh: '从列表中选一个：`sudo landfall backup list`。',
          },
          ...listed(snapshots),
        });
  }
  return newest
    ? new LandfallError('BACKUP_MISSING', `all backups at ${name} are dated in the future`, {
        hint: {
          en: `Check the clock with \`date\`, or name one: \`sudo landfall restore ${newest.id}\`.`,
          zh: `用 \`date\` 检查时钟，或指定一个：\`sudo landfall restore ${newest.id}\`。`,
        },
        ...listed(snapshots),
      })
    : new LandfallError('BACKUP_MISSING', `there are no backups at ${name}`, {
        hint: { en: 'Check the path of the target.', zh: '检查备份位置的路径。' },
      });
}

async function readManifestOf(restic: Restic, snapshot: Snapshot): Promise<BackupManifest> {
  const args = ['dump', snapshot.id, '/backup/manifest.json', '--no-lock'];
  const printed = await restic.run(args).catch((error: unknown) => {
    if (!(error instanceof LandfallError) || error.code !== 'BACKUP_DAMAGED') throw error;
    throw damaged(restic, snapshot, 'its manifest is missing or damaged');
  });
  const manifest = manifestSchema.safeParse(parseJson(Buffer.from(printed)));
  if (manifest.success) return manifest.data;
  throw damaged(restic, snapshot, 'its manifest is invalid');
}

/** Returns the error for a backup whose content is wrong. */
export function damaged({ name }: Restic, { id }: Snapshot, why: string): LandfallError {
  return new LandfallError('BACKUP_DAMAGED', `the backup ${id} at ${name} cannot be used: ${why}`, {
    hint: {
      en: 'Use another one: `sudo landfall backup list`. The files can be restored with restic: backup.md of the documentation.',
      zh: '换一个备份：`sudo landfall backup list`。文件可以用 restic 恢复：见 Landfall 文档 backup.md。',
    },
  });
}

/** A release reads the data of an earlier one with the same number of the data format. */
function expectRestorable(
  { version, dataEpoch }: Release,
  manifest: BackupManifest,
  { id }: Snapshot,
): void {
  const { version: needed, url } = manifest.release;
  const isOld = semver.lt(version, needed);
  if (!isOld && manifest.dataEpoch === dataEpoch) return;
  const where = url === null ? '' : ` (${url})`;
  const message = isOld
    ? `the backup ${id} is of release ${needed}, which is newer than ${version}`
    : `the backup ${id} is of release ${needed}, whose data ${version} cannot read`;
  throw new LandfallError('BACKUP_RELEASE', message, {
    hint: isOld
      ? `Install release ${needed} or a later one${where}.`
      : `Set up a server with release ${needed}, restore there, and update it${where}.`,
  });
}
