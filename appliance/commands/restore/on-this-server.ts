import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { secretsFolder } from '#contract/server-paths.ts';
import { bucketSecrets, targetText } from '#contract/site/backup/targets.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { Restic } from '../../operations/backup/restic.ts';
import { removeLeftovers } from '../../operations/driver/end-update.ts';
import { type ChosenBackup, chooseBackup } from '../../operations/restore/choose-backup.ts';
import { expectSpaceForBackup, fetchBackup } from '../../operations/restore/fetch-backup.ts';
import { changes } from '../../operations/transactions/kinds.ts';
import { factsBefore, putTree, saveFiles } from '../../operations/transactions/saved-files.ts';
import { updateRuns } from '../../operations/update/download/stage-release.ts';
import { copySpace } from '../../server/chats/data-size.ts';
import { volumeFolder } from '../../server/chats/sandbox.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import { preparedTargets } from '../../server/records/backups.ts';
import { isApplying, storedTransaction } from '../../server/records/transaction.ts';
import { askFor } from '../ask-yes.ts';
import { applyKept, followUpdate } from '../update/follow.ts';
import { copyToUndo } from '../update/undo.ts';
import { describeBackup, describeLeftOut } from './describe-backup.ts';

export interface RestoreFlags {
  /** Number of the target in the site, from 1. */
  readonly from?: number;
  readonly undo?: boolean;
  readonly yes?: boolean;
  /** Seconds. */
  readonly maxPause: number;
}

/**
 * Puts the chats, the secrets and the certificates of a backup in place of those of this server, as a
 * transaction (decision 69): what they replace is kept, and comes back if the server does not work with them.
 * @param wanted ID of the backup; undefined: the newest one
 * @throws LandfallError BACKUP_…, DISK_FULL, ALREADY_RUNNING; UPDATE_FAILED if it was undone
 */
export async function restoreHere(
  facts: Facts,
  wanted: string | undefined,
  flags: RestoreFlags,
): Promise<void> {
  const { host } = facts;
  const running = await storedTransaction.read(host);
  if (running && isApplying(running)) {
    if (changes('data', running)) return await followUpdate(host, running);
    throw updateRuns(running);
  }
  const lock = await takeRunLock(host, 'update');
  const backups = await takeRunLock(host, 'backup');
  // A restore that was interrupted before it began; a download stays on the disk.
  if (running && changes('data', running)) await storedTransaction.remove(host);
  const id = flags.undo
    ? await copyToUndo(facts, flags.yes)
    : await copyOfBackup(facts, await chosen(facts, wanted, flags), flags);
  if (id === undefined) {
    return console.log(inLanguage({ en: 'Nothing was changed.', zh: '未做任何更改。' }));
  }
  await backups.release();
  await applyKept(facts, { kind: 'restore', restoreFrom: id }, { limit: flags.maxPause, lock });
}

/** Returns the backup that the administrator wants. */
async function chosen(
  { host, site, release }: Facts,
  wanted: string | undefined,
  { from }: RestoreFlags,
): Promise<ChosenBackup> {
  const prepared = await preparedTargets(host, site);
  const target = from === undefined ? prepared[0] : site.backup?.to[from - 1];
  if (!target || !prepared.includes(target)) {
    const names = (site.backup?.to ?? []).map((each, index) => `${index + 1} ${targetText(each)}`);
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: `there is no target ${from} that is set up`,
        zh: `没有初始化过的备份位置 ${from}`,
      }),
      {
        hint: {
          en: 'Use the number of one of these, and `sudo landfall backup init` for a new one.',
          zh: '使用下列之一的编号；新的备份位置请先运行 `sudo landfall backup init`。',
        },
        problems: names.map((message) => ({ message })),
      },
    );
  }
  return await chooseBackup(await Restic.at({ host, site }, target), release, wanted);
}

/**
 * Fetches a backup, after a question.
 * @returns the ID of the copy with its data; undefined if the administrator declines
 */
async function copyOfBackup(
  facts: Facts,
  backup: ChosenBackup,
  { yes = false }: RestoreFlags,
): Promise<string | undefined> {
  const { host, release } = facts;
  const volume = await volumeFolder(host, 'ui-data');
  if (volume === undefined) throw noChats();
  console.log(describeBackup(backup));
  await removeLeftovers(host, release.version);
  await expectSpaceForBackup(facts, backup, volume, (await copySpace(host)).size);
  const time = formatTime(new Date(backup.snapshot.at));
  const isAgreed = await agrees(yes, {
    en: `The chats, accounts and keys of ${time} replace those of now, which are kept for --undo.\nType "yes" to restore: `,
    zh: `${time} 的对话、账户和密钥将取代现在的，现在的会保留，可用 --undo 还原。\n输入 yes 以恢复：`,
  });
  if (!isAgreed) return undefined;
  console.log(
    inLanguage({ en: 'fetching the backup; the server is open', zh: '正在取回备份，服务照常运行' }),
  );
  const id = randomUUID();
  const fetched = await fetchBackup(facts, backup, volume, id);
  for (const line of describeLeftOut(fetched.leftOut)) console.log(line);
  try {
    if (!fetched.facts) throw noChats();
    // The bucket may have other keys since.
    for (const path of Object.values(bucketSecrets).map((name) => `${secretsFolder}/${name}`)) {
      if (!existsSync(host.path(path))) continue;
      await putTree(host.path(path), join(fetched.settings, path), { removesOthers: false });
    }
    await saveFiles(host, id, fetched.settings);
    await factsBefore(id).write(host, fetched.facts);
  } finally {
    await fetched.remove();
  }
  return id;
}

async function agrees(yes: boolean, question: { en: string; zh: string }): Promise<boolean> {
  return yes || (await askFor('yes', inLanguage(question), '--yes'));
}

function noChats(): LandfallError {
  return new LandfallError(
    'STATE_INVALID',
    inLanguage({
      en: 'there are no chats on this server or in the backup',
      zh: '这台服务器和备份中都没有对话',
    }),
    {
      hint: {
        en: 'Restore the settings with restic: backup.md of the documentation.',
        zh: '用 restic 恢复设置：见 Landfall 文档 backup.md。',
      },
    },
  );
}
