import { existsSync } from 'node:fs';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { dockerSwarmFolder } from '#contract/server-paths.ts';
import { type BackupTarget, targetText } from '#contract/site/backup/targets.ts';
import { formatBytes, formatDuration } from '#contract/text/amount.ts';
import { readJson } from '#contract/text/json.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';
import type { RunLock } from '../../server/host/lock/run-lock.ts';
import { serverName } from '../../server/host/server.ts';
import { StateFile } from '../../server/host/state-file.ts';
import {
  preparedTargets,
  recordAt,
  storedBackups,
  type TargetResult,
  type TargetState,
} from '../../server/records/backups.ts';
import type { Context } from '../../server/stage/stage.ts';
import { sizesAfter } from './growth.ts';
import { backupManifest, manifestSchema } from './manifest.ts';
import { copyWhilePaused } from './paused-copy.ts';
import { Restic } from './restic.ts';
import { removeScratch } from './scratch.ts';
import { clockError, expectOwn, serverTag } from './snapshots.ts';
import { spaceAt } from './target-space.ts';

type BackupContext = Pick<Context, 'host' | 'site' | 'release' | 'releaseFolder'> & {
  readonly say: (line: string) => void;
};

const storedManifest = new StateFile('var/lib/landfall/backup/manifest.json', manifestSchema, {
  mode: 0o600,
});
/** Folders and files in a backup besides the data of the chat UI, by their path for restic. */
const settings = ['etc/landfall', 'var/lib/landfall/acme'] as const;
/** With a Swarm: a copy of a running one, as after a power cut, which its log survives. */
const settingsOf = ({ engines }: Context['site']) =>
  engines?.swarm ? [...settings, dockerSwarmFolder] : settings;
/** Seconds for one target: a first backup of 100 GB at 2 MB/s. */
const limit = 14 * 3600;
/** A longer pause is a warning, in milliseconds. */
const longPause = 10_000;

/**
 * Makes a backup: copies the chats, and stores the copy and the settings at each target. A target that
 * fails does not stop the others.
 * @param changes the lock of commands that change the server; released after the copy
 * @throws LandfallError BACKUP_MISSING, DISK_FULL and those of the copy, before anything is stored
 */
export async function runBackup(context: BackupContext, changes: RunLock): Promise<TargetResult[]> {
  const { host, site, releaseFolder, say } = context;
  const targets = await preparedTargets(host, site);
  // Of a restore test that was killed.
  await removeScratch(host);
  say(inLanguage({ en: 'copying the chats', zh: '复制聊天记录' }));
  const copy = await copyWhilePaused(host, releaseFolder);
  try {
    const manifest = await backupManifest(context, copy?.facts);
    await storedManifest.write(host, manifest);
    await changes.release();
    if (copy && copy.paused > longPause) {
      const time = formatDuration(copy.paused);
      say(
        inLanguage({
          en: `warning: the chat was paused for ${time}, to copy ${formatBytes(copy.size)}`,
          zh: `警告：为复制 ${formatBytes(copy.size)}，聊天暂停了 ${time}`,
        }),
      );
    }
    const sources = {
      '/backup/manifest.json': host.path(storedManifest.path),
      ...Object.fromEntries(
        settingsOf(site)
          .filter((path) => existsSync(host.path(path)))
          .map((path) => [`/backup/${path}`, host.path(path)]),
      ),
      ...(copy && { '/backup/ui-data': copy.folder }),
    };
    const results: TargetResult[] = [];
    for (const target of targets) results.push(await storeAt(context, target, sources));
    return results;
  } finally {
    await copy?.remove();
  }
}

const summarySchema = z.object({
  message_type: z.literal('summary'),
  snapshot_id: z.string(),
  total_bytes_processed: z.int(),
  data_added: z.int(),
});

/** Stores the sources at a target, and records the result. */
async function storeAt(
  { host, site, release, say }: BackupContext,
  target: BackupTarget,
  sources: Readonly<Record<string, string>>,
): Promise<TargetResult> {
  const name = targetText(target);
  // A stored backup counts, also if older ones cannot be removed.
  let stored: Partial<TargetState> = {};
  const store = async () => {
    say(inLanguage({ en: `storing at ${name}`, zh: `存储到 ${name}` }));
    const restic = await Restic.at({ host, site }, target);
    // Our lock excludes another run here, and no other server writes.
    const { earlier } = await storedBackups.read(host);
    await restic.unlock(...(earlier?.stopped ? ['--remove-all'] : []));
    const newest = await expectOwn(restic);
    const tags = ['--tag', await serverTag(host), '--tag', `release-${release.version}`];
    const from = ['--host', await serverName(host), ...tags, '/backup'];
    const args = ['backup', '--json', '--quiet', ...from];
    const run = () => restic.run(args, { sources, seconds: limit });
    const printed = await run().catch(async (error: unknown) => {
      if (!lacksIndex(error)) throw error;
      say(inLanguage({ en: `rebuilding the index of ${name}`, zh: `重建 ${name} 的索引` }));
      await restic.run(['rebuild-index'], { seconds: limit });
      return await run();
    });
    const summary = printed
      .split('\n')
      .map((line) => readJson(summarySchema, line))
      .find((line) => line !== undefined);
    if (!summary) throw noSummary(name);
    // restic stores a backup in a repository that has lost data, without an error.
    await restic.run(['check'], { seconds: 3600 });
    stored = await stateAfter(host, name, summary);
    if (newest !== undefined && Date.parse(newest.at) > Date.now() + clockError) {
      const time = newest.at.slice(0, 10);
      say(
        inLanguage({
          en: `warning: the backup ${newest.id} at ${name} is dated ${time}, so the clock is or was wrong. No old backup is removed.`,
          zh: `警告：${name} 的备份 ${newest.id} 的日期是 ${time}，说明时钟有误或曾经有误。不会删除旧备份。`,
        }),
      );
    } else await forget(restic, site.backup?.keep);
    stored = { ...stored, space: await spaceAt(restic) };
  };
  return await recordAt(host, name, store, (lastRun) => ({ ...stored, lastRun }));
}

/** Whether restic says that files of the index are lost. It can make them again from the data. */
function lacksIndex(error: unknown): boolean {
  if (!(error instanceof LandfallError)) return false;
  // restic 0.14 only says that it cannot read the folder of the last backup.
  const signs = /repair index|rebuild-index|"during":"archival","item":"\/"/;
  return error.problems.some(({ message }) => signs.test(message));
}

/** Returns what changes in the state of a target when a backup is stored. */
async function stateAfter(
  host: Host,
  name: string,
  summary: z.infer<typeof summarySchema>,
): Promise<Partial<TargetState>> {
  const [at, total] = [new Date().toISOString(), summary.total_bytes_processed];
  const { targets } = await storedBackups.read(host);
  const sizes = sizesAfter(targets[name]?.sizes ?? [], { at, total });
  const snapshot = summary.snapshot_id.slice(0, 8);
  return { lastGood: { at, snapshot, total, added: summary.data_added }, sizes };
}

/** Removes the backups that the site does not keep. */
async function forget(
  restic: Restic,
  keep: NonNullable<Context['site']['backup']>['keep'] | undefined,
): Promise<void> {
  if (keep === undefined || keep === 'never') return;
  const { daily, weekly, monthly } = keep;
  const counts = { daily, weekly, monthly };
  const rules = Object.entries(counts).flatMap(([name, count]) =>
    count > 0 ? [`--keep-${name}`, `${count}`] : [],
  );
  // The release is a tag, and each tag would be a group with all backups of its own.
  const args = ['forget', '--group-by', 'host', '--keep-last', '1', ...rules, '--prune'];
  await restic.run(args, { seconds: 3600 });
}

function noSummary(name: string): LandfallError {
  return new LandfallError('BACKUP_FAILED', `restic printed no summary for ${name}`, {
    hint: {
      en: 'Report this bug with the output of `restic version`.',
      zh: '请附上 `restic version` 的输出报告这个缺陷。',
    },
  });
}
