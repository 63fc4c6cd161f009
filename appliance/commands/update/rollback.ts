import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { refuseBelowFloor } from '#contract/trust/rotation.ts';
import { factsBefore } from '../../operations/driver/steps.ts';
import { releaseBefore } from '../../operations/transactions/history.ts';
import { removeDownload, updateRuns } from '../../operations/update/download/download-update.ts';
import { folderOf, readManifest } from '../../operations/update/download/release-folder.ts';
import { type ChatFacts, chatFactsSchema } from '../../server/chats/chat-facts.ts';
import { copySpace, expectSpaceForCopy } from '../../server/chats/data-size.ts';
import { runOnVolume, volumeFolder } from '../../server/chats/sandbox.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import { ensureTrustAnchor } from '../../server/host/trust-anchor.ts';
import { type Facts, loadFacts } from '../../server/load-facts.ts';
import { isApplying, newTransaction, storedTransaction } from '../../server/records/transaction.ts';
import { askFor } from '../ask-yes.ts';
import { applyStaged } from './follow.ts';

export interface RollbackFlags {
  readonly restoreData?: boolean;
  readonly yes?: boolean;
  /** Seconds. */
  readonly maxPause: number;
}

/**
 * Goes back to the release before the current one. The data stays if that release can read it;
 * otherwise the copy of before the update comes back, if the administrator agrees to lose what came since.
 * @throws LandfallError UPDATE_FAILED, STATE_INVALID without an earlier release, BUNDLE_ROLLBACK below the
 *   minimum version of the keys, DISK_FULL
 */
export async function rollBack(facts: Facts, flags: RollbackFlags): Promise<void> {
  const { host, release } = facts;
  const running = await storedTransaction.read(host);
  if (running && isApplying(running)) throw updateRuns(running);
  const lock = await takeRunLock(host, 'update');
  const before = await releaseBefore(host, release.version);
  const folder = before && folderOf({ version: before.version, arch: release.arch });
  const manifest = folder && (await readManifest(host, folder));
  if (!before || !folder || !manifest) throw nothingBefore();
  refuseBelowFloor(await ensureTrustAnchor(host), before.version);
  const { release: earlier } = await loadFacts(host, host.path(folder));
  const [now, then] = await Promise.all([currentFacts(facts), factsBefore(before.copy).read(host)]);
  const canRead =
    earlier.dataEpoch === release.dataEpoch && (!then || then.revision === now?.revision);
  if (!canRead && !flags.restoreData) throw needsData(before, now, then);
  if (!canRead && !then) throw nothingBefore();
  if (running) await removeDownload(host, release, running.to);
  expectSpaceForCopy(await copySpace(host));
  const isRestoring = flags.restoreData === true && then !== undefined;
  if (!flags.yes && !(await ask(before, isRestoring, now, then))) {
    return console.log(inLanguage({ en: 'Nothing was changed.', zh: '未做任何更改。' }));
  }
  const staged = {
    ...newTransaction({
      ...{ kind: 'rollback', from: release.version, to: before.version },
      ...{ manifest: sha256Hex(manifest), source: { urls: [], part: null } },
    }),
    state: 'staged',
    restoreFrom: isRestoring ? before.copy : null,
  } as const;
  await storedTransaction.write(host, staged);
  await applyStaged(facts, staged, { limit: flags.maxPause, lock });
}

function nothingBefore(): LandfallError {
  return new LandfallError(
    'STATE_INVALID',
    inLanguage({ en: 'there is no earlier release to go back to', zh: '没有可以回滚的上一个版本' }),
    {
      hint: {
        en: 'Landfall keeps the release before the last update: `landfall update history`.',
        zh: 'Landfall 保留上一次更新之前的版本：`landfall update history`。',
      },
    },
  );
}

type Before = NonNullable<Awaited<ReturnType<typeof releaseBefore>>>;

function needsData(
  { version, at }: Before,
  now: ChatFacts | undefined,
  then: ChatFacts | undefined,
): LandfallError {
  const message = `${version} cannot read the chats of this release, which has changed their database`;
  return new LandfallError('UPDATE_FAILED', message, {
    hint: {
      en: 'Go back to the chats of that time too: `sudo landfall update rollback --restore-data`.',
      zh: '连同当时的对话一起回滚：`sudo landfall update rollback --restore-data`。',
    },
    problems: [{ message: lossOf(at, now, then) }],
  });
}

/** Says what a restored copy loses. */
function lossOf(at: string, now: ChatFacts | undefined, then: ChatFacts | undefined): string {
  const time = formatTime(new Date(at));
  const more = (now?.chats ?? 0) - (then?.chats ?? 0);
  const users = (now?.users ?? 0) - (then?.users ?? 0);
  return inLanguage({
    en: `everything since ${time} would be lost: ${Math.max(0, more)} new chats, ${Math.max(0, users)} new accounts, and all new messages and documents`,
    zh: `将丢失 ${time} 以后的全部内容：${Math.max(0, more)} 个新对话、${Math.max(0, users)} 个新账户，以及所有新消息和文档`,
  });
}

async function ask(
  { version, at }: Before,
  isRestoring: boolean,
  now: ChatFacts | undefined,
  then: ChatFacts | undefined,
): Promise<boolean> {
  if (!isRestoring) {
    const en = `Go back to ${version}? The chats stay. [y/N] `;
    return await askFor(
      'y',
      inLanguage({ en, zh: `恢复到 ${version}？对话会保留。[y/N] ` }),
      '--yes',
    );
  }
  console.log(lossOf(at, now, then));
  const en = `Type "yes" to go back to ${version} and its chats: `;
  return await askFor(
    'yes',
    inLanguage({ en, zh: `输入 yes 以恢复到 ${version} 及当时的对话：` }),
    '--yes',
  );
}

async function currentFacts({ host, releaseFolder }: Facts): Promise<ChatFacts | undefined> {
  const folder = await volumeFolder(host, 'ui-data');
  if (!folder) return undefined;
  const printed = await runOnVolume(host, releaseFolder, 'facts', folder, 'now');
  return chatFactsSchema.parse(JSON.parse(printed));
}
