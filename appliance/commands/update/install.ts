import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { translated } from '#contract/text/translated.ts';
import { whyGivenUp } from '../../operations/transactions/history.ts';
import { checkUpdates, offeredRelease } from '../../operations/update/check-updates.ts';
import { describeBundle, readNamedBundle } from '../../operations/update/download/named-bundle.ts';
import { stageRelease } from '../../operations/update/download/stage-release.ts';
import { describeUpdate } from '../../operations/update/last-check.ts';
import type { NextRelease } from '../../operations/update/mirror.ts';
import { type CopySpace, copySpace, shortageOf } from '../../server/chats/data-size.ts';
import { readText } from '../../server/host/files.ts';
import { diskFull } from '../../server/host/free-space.ts';
import type { Host } from '../../server/host/host.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import { closesServer, isApplying, storedTransaction } from '../../server/records/transaction.ts';
import { askFor } from '../ask-yes.ts';
import { applyStaged, followUpdate } from './follow.ts';

export interface InstallFlags {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly retry?: boolean;
  readonly withoutRollback?: boolean;
  /** Seconds. */
  readonly maxPause: number;
}

/**
 * Installs a release, or follows an update that is running. The update itself runs in a unit of its own, so
 * Ctrl-C and a closed window do not stop it.
 * @param wanted version, path or URL of a bundle; undefined: the next release that a channel offers
 * @throws LandfallError UPDATE_FAILED if it was rolled back, DISK_FULL, ALREADY_RUNNING; those of `readNamedBundle`
 */
export async function installRelease(
  facts: Facts,
  wanted: string | undefined,
  flags: InstallFlags,
): Promise<void> {
  const { host } = facts;
  if ((await readText(host, installedMark)) === undefined) throw notInstalled();
  const running = await storedTransaction.read(host);
  if (running && isApplying(running)) return await followUpdate(host, running);
  const lock = await takeRunLock(host, 'update');
  const find = wanted !== undefined && namesBundle(wanted) ? readBundle : readOffer;
  const { next, text } = await find(facts, wanted);
  if (!next) return console.log(text);
  await refuseFailed(host, next, flags);
  const isDownloaded = running?.state === 'staged' && running.manifest === next.manifest;
  const space = await spaceFor(host, next);
  const shortage = shortageOf(space, isDownloaded ? 0 : (next.disk ?? 0));
  const keeps = !shortage || !flags.withoutRollback;
  console.log(text);
  console.log(`\n${describeCourse(facts, next, space, keeps)}\n`);
  if (flags.dryRun) return shortage && console.log(inLanguage(shortage));
  const versions = { from: facts.release.version, to: next.version };
  const way = await chooseWayBack(shortage, flags, versions);
  const isAgreed = way === 'given-up' || (way === 'kept' && (await agrees(flags)));
  if (!isAgreed) return console.log(inLanguage(unchanged));
  const staged = await stageRelease(facts, next);
  // The release is on the disk now, so what it takes is no longer an estimate.
  const rest = shortageOf(await spaceFor(host, next));
  const last = rest && way === 'given-up' ? way : await chooseWayBack(rest, flags, versions);
  if (last === 'declined') return console.log(inLanguage(unchanged));
  const keepsPrevious = last === 'kept';
  await applyStaged(facts, staged, { limit: flags.maxPause, lock, keepsPrevious });
}

/** Returns whether the argument of `landfall update` is a path or a URL, and not a version. */
export function namesBundle(text: string): boolean {
  return text.includes('/') || /\.tar(?:\.\d{3})?$/.test(text);
}

/** What was found, and how it is described. Without `next` there is no release to install. */
type Found = { readonly next?: NextRelease; readonly text: string };

async function readBundle(facts: Facts, name = ''): Promise<Found> {
  const named = await readNamedBundle({ ...facts, note: console.log }, name);
  return { next: named.next, text: describeBundle(named, facts.release.version) };
}

async function readOffer(facts: Facts, version: string | undefined): Promise<Found> {
  const state = await checkUpdates(facts);
  const { offer } = state;
  const text = describeUpdate(state);
  if (offer?.kind !== 'update') return { text };
  if (version !== undefined && offer.version !== version) throw notOffered(version, offer.version);
  return { text, next: offeredRelease(facts.site, offer) };
}

async function agrees({ yes = false }: InstallFlags): Promise<boolean> {
  return yes || (await askFor('y', inLanguage(question), '--yes'));
}

const unchanged = { en: 'Nothing was changed.', zh: '未做任何更改。' };

const question = { en: 'Install it now? [y/N] ', zh: '现在安装吗？[y/N] ' };

function notInstalled(): LandfallError {
  return new LandfallError(
    'STATE_INVALID',
    inLanguage({
      en: 'the first boot of this server has not completed',
      zh: '这台服务器的首次启动没有完成',
    }),
    {
      hint: { en: 'Run `landfall status`.', zh: '运行 `landfall status`。' },
    },
  );
}

function notOffered(version: string, offered: string): LandfallError {
  return new LandfallError(
    'USAGE',
    inLanguage({
      en: `the next release for this server is ${offered}, not ${version}`,
      zh: `这台服务器的下一个版本是 ${offered}，不是 ${version}`,
    }),
    {
      hint: {
        en: 'Run `sudo landfall update` without a version.',
        zh: '运行 `sudo landfall update`，不写版本。',
      },
    },
  );
}

/** @throws LandfallError UPDATE_FAILED for a release that was rolled back */
async function refuseFailed(host: Host, next: NextRelease, flags: InstallFlags): Promise<void> {
  const givenUp = flags.retry ? undefined : await whyGivenUp(host, next);
  if (!givenUp) return;
  throw new LandfallError(
    'UPDATE_FAILED',
    inLanguage({
      en: `${next.version} was rolled back: ${givenUp.reason}`,
      zh: `${next.version} 已回滚：${translated(givenUp.reason)}`,
    }),
    {
      hint: {
        en: 'Wait for a newer release, or try again with --retry.',
        zh: '等待更新的版本，或加上 --retry 再试一次。',
      },
    },
  );
}

/** Says what will happen, in order. */
function describeCourse(
  { release }: Facts,
  next: NextRelease,
  { size, free }: CopySpace,
  keeps: boolean,
): string {
  const { version, bundle } = next;
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const [copied, left] = [formatBytes(size), formatBytes(free)];
  const close = keeps
    ? say(
        `browsers see "being updated"; ${copied} of chats are copied, ${left} are free`,
        `浏览器显示“正在更新”；复制 ${copied} 的对话数据，剩余空间 ${left}`,
      )
    : say(
        'browsers see "being updated"; the chats are not copied',
        '浏览器显示“正在更新”；不复制对话数据',
      );
  const restart = say('only what changed; the chat stays open', '仅重启有变化的组件，对话不中断');
  const after = keeps
    ? say(
        `if ${version} does not work, ${release.version} comes back with all data`,
        `如果 ${version} 无法正常工作，自动恢复 ${release.version} 及全部数据`,
      )
    : say(
        `if ${version} does not work, ${release.version} starts again, if it can read the chats`,
        `如果 ${version} 无法正常工作，且 ${release.version} 能读取对话数据，就恢复 ${release.version}`,
      );
  const kept = say(
    `${release.version} stays, for landfall update rollback`,
    `保留 ${release.version}，可用 landfall update rollback 恢复`,
  );
  const removed = say(`${release.version} and its images`, `${release.version} 及其镜像`);
  return formatTable([
    [
      'file' in bundle ? say('1 copy', '1 复制') : say('1 download', '1 下载'),
      say('while the server runs', '期间服务照常运行'),
    ],
    [
      say('2 prepare', '2 准备'),
      say('packages and settings, while the server runs', '软件包和设置，期间服务照常运行'),
    ],
    closesServer(next.components) === false
      ? [say('3 restart', '3 重启'), restart]
      : [say('3 close', '3 关闭'), close],
    [say('4 test', '4 测试'), after],
    keeps ? [say('5 keep', '5 保留'), kept] : [say('5 remove', '5 删除'), removed],
  ]);
}

/** Whether an update copies the chats and keeps the earlier release, or why not. */
type WayBack = 'kept' | 'given-up' | 'declined';

/** Returns the space for the copy of an update; nothing is copied if the chat UI and Ollama stay open. */
export async function spaceFor(host: Host, next: NextRelease): Promise<CopySpace> {
  const space = await copySpace(host);
  return closesServer(next.components) === false ? { ...space, size: 0 } : space;
}

/**
 * Decides whether an update keeps a way back. Without space for it, the administrator gives it up by an
 * option and a typed "yes".
 * @param shortage what is missing; undefined if all fits
 * @throws LandfallError DISK_FULL without the option, USAGE without a terminal
 */
export async function chooseWayBack(
  shortage: Text | undefined,
  { withoutRollback, yes }: Pick<InstallFlags, 'withoutRollback' | 'yes'>,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<WayBack> {
  if (!shortage) return 'kept';
  if (!withoutRollback) throw noSpace(shortage);
  console.log(`${inLanguage(shortage)}\n${inLanguage(warningOf(from, to))}\n`);
  if (yes) return 'given-up';
  const question = {
    en: 'Type "yes" to update without a way back: ',
    zh: '输入 yes 以在无法恢复的情况下更新：',
  };
  return (await askFor('yes', inLanguage(question), '--yes')) ? 'given-up' : 'declined';
}

/** Returns the error for an update that has no space to keep a way back. */
export function noSpace(shortage: Text): LandfallError {
  return diskFull(inLanguage(shortage), {
    en: 'Free some space (`sudo landfall doctor`), or give up the way back with `sudo landfall update --without-rollback`. Nothing was changed.',
    zh: '释放空间（`sudo landfall doctor`），或用 `sudo landfall update --without-rollback` 放弃回滚。没有更改任何内容。',
  });
}

function warningOf(from: string, to: string): Text {
  return {
    en: `WARNING: this update has no way back. The chats are not copied. If ${to} does not work, ${from} starts again, unless ${to} has changed the database of the chats: then ${to} stays. After the update, ${from} and its images are removed. Make a backup of the volume landfall_ui-data first.`,
    zh: `警告：本次更新无法恢复。不会复制对话数据。如果 ${to} 无法正常工作，会恢复 ${from}；但若 ${to} 已改动对话数据库，就只能保留 ${to}。更新完成后，${from} 及其镜像会被删除。请先备份卷 landfall_ui-data。`,
  };
}
