import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { inLanguage, say, type Text } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { refuseBelowFloor } from '#contract/trust/rotation.ts';
import { siteText } from '#explain/site-text.ts';
import {
  type EndedUpdate,
  lastToUndo,
  readHistory,
  releaseBefore,
} from '../../operations/transactions/history.ts';
import { factsBefore } from '../../operations/transactions/saved-files.ts';
import { earlierSites } from '../../operations/transactions/stored-sites.ts';
import {
  folderOf,
  readManifest,
  removeDownload,
} from '../../operations/update/download/release-folder.ts';
import { updateRuns } from '../../operations/update/download/stage-release.ts';
import { type ChatFacts, chatFactsSchema } from '../../server/chats/chat-facts.ts';
import { copySpace, expectSpaceForCopy } from '../../server/chats/data-size.ts';
import { runOnVolume, volumeFolder } from '../../server/chats/sandbox.ts';
import { hasCopy } from '../../server/chats/volume-copy.ts';
import type { Host } from '../../server/host/host.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import { ensureTrustAnchor } from '../../server/host/trust-anchor.ts';
import { type Facts, loadFacts } from '../../server/load-facts.ts';
import { isApplying, storedTransaction } from '../../server/records/transaction.ts';
import { askFor } from '../ask-yes.ts';
import { parseSource, type SiteSource } from '../site/source.ts';
import { applyKept } from './follow.ts';

export interface RollbackFlags {
  readonly restoreData?: boolean;
  readonly yes?: boolean;
  /** Seconds. */
  readonly maxPause: number;
}

// The undo of the last change: `landfall update rollback`, `landfall restore --undo`, `landfall site undo`. What it replaces
// is kept, so that it can be undone too.

/** What there is to say without such a change. */
const nothing: Readonly<Record<'release' | 'data' | 'site', { text: Text; hint: Text }>> = {
  release: {
    text: { en: 'there is no earlier release to go back to', zh: '没有可以回滚的上一个版本' },
    hint: {
      en: 'Landfall keeps the release before the last update: `landfall update history`.',
      zh: 'Landfall 保留上一次更新之前的版本：`landfall update history`。',
    },
  },
  data: {
    text: { en: 'there is no restored backup to undo', zh: '没有可以撤销的恢复' },
    hint: {
      en: 'The last change of this server was not a restore: `sudo landfall update history`.',
      zh: '这台服务器上一次的更改不是恢复：`sudo landfall update history`。',
    },
  },
  site: {
    text: { en: 'the site was not changed yet', zh: '站点还没有更改过' },
    hint: {
      en: 'Change it with `sudo landfall site edit`.',
      zh: '用 `sudo landfall site edit` 修改。',
    },
  },
};

function nothingToUndo(what: keyof typeof nothing): LandfallError {
  const { text, hint } = nothing[what];
  return new LandfallError('STATE_INVALID', inLanguage(text), { hint });
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
  const before = releaseBefore(await readHistory(host), release.version);
  const folder = before && folderOf({ version: before.from, arch: release.arch });
  const manifest = folder && (await readManifest(host, folder));
  if (!before || !folder || !manifest) throw nothingToUndo('release');
  refuseBelowFloor(await ensureTrustAnchor(host), before.from);
  const { release: earlier } = await loadFacts(host, host.path(folder));
  const [now, then] = await Promise.all([currentFacts(facts), factsBefore(before.id).read(host)]);
  const canRead =
    earlier.dataEpoch === release.dataEpoch && (!then || then.revision === now?.revision);
  if (!canRead && !flags.restoreData) throw needsData(before, now, then);
  if (!canRead && !then) throw nothingToUndo('release');
  if (running) await removeDownload(host, release, running.to);
  expectSpaceForCopy(await copySpace(host));
  const isRestoring = flags.restoreData === true && then !== undefined;
  if (!flags.yes && !(await ask(before, isRestoring, now, then))) {
    return console.log(inLanguage({ en: 'Nothing was changed.', zh: '未做任何更改。' }));
  }
  const kept = { to: before.from, restoreFrom: isRestoring ? before.id : null };
  await applyKept(facts, { kind: 'rollback', ...kept }, { limit: flags.maxPause, lock });
}

function needsData(
  { from: version, at }: EndedUpdate,
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
  { from: version, at }: EndedUpdate,
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

/**
 * Returns the ID of the copy that the last restore has made; undefined if the administrator declines.
 * @throws LandfallError STATE_INVALID if there is none
 */
export async function copyToUndo({ host }: Facts, yes = false): Promise<string | undefined> {
  const last = lastToUndo(await readHistory(host), 'data');
  if (!last) throw nothingToUndo('data');
  const volume = await volumeFolder(host, 'ui-data');
  if (volume === undefined || !(await hasCopy(volume, last.id))) {
    throw new LandfallError(
      'STATE_INVALID',
      inLanguage({
        en: 'the chats of before the last restore are gone',
        zh: '上次恢复之前的对话已不存在',
      }),
      {
        hint: {
          en: 'An earlier `--undo` failed with them. Use a backup: `sudo landfall backup list`.',
          zh: '上一次 `--undo` 没有成功。请使用备份：`sudo landfall backup list`。',
        },
      },
    );
  }
  const time = formatTime(new Date(last.at));
  const question = {
    en: `The chats of before ${time} come back; what came since is kept for another --undo.\nType "yes" to go back: `,
    zh: `还原 ${time} 之前的对话；之后的内容会保留，可再次用 --undo 还原。\n输入 yes 以还原：`,
  };
  return yes || (await askFor('yes', inLanguage(question), '--yes')) ? last.id : undefined;
}

/**
 * Returns the site before the last change, and prints its time.
 * @throws LandfallError STATE_INVALID if there is none
 */
export async function siteToUndo(host: Host): Promise<SiteSource> {
  const [last] = await earlierSites(host);
  if (!last) throw nothingToUndo('site');
  const time = formatTime(new Date(last.at));
  console.log(inLanguage({ en: `The site of before ${time}:`, zh: `${time} 之前的站点：` }));
  const text = last.text ?? siteText(Object(parseJson(last.json)));
  return parseSource(
    Buffer.from(text),
    say(`the site of before ${time}`, `${time} 之前的站点配置`),
  );
}
