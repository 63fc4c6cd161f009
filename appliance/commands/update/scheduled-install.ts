import { LandfallError } from '#contract/errors.ts';
import { updateMode, windowOf } from '#contract/site/updates.ts';
import { formatDuration } from '#contract/text/amount.ts';
import { formatError } from '#contract/text/error.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import { whyGivenUp } from '../../operations/transactions/history.ts';
import { checkUpdates, offeredRelease } from '../../operations/update/check-updates.ts';
import { aboutUpdates } from '../../operations/update/conditions.ts';
import { stageRelease } from '../../operations/update/download/stage-release.ts';
import { describeUpdate, type UpdateState } from '../../operations/update/last-check.ts';
import { announce } from '../../operations/update/scheduled-check.ts';
import { timeLeft } from '../../operations/update/window.ts';
import { deliverAlerts } from '../../server/alerts/queue.ts';
import { type CopySpace, shortageOf } from '../../server/chats/data-size.ts';
import type { Host } from '../../server/host/host.ts';
import { isRunLocked, tryRunLock } from '../../server/host/lock/run-lock.ts';
import type { Facts } from '../../server/load-facts.ts';
import {
  isApplying,
  storedTransaction,
  type Transaction,
} from '../../server/records/transaction.ts';
import { startUpdate } from './follow.ts';
import { noSpace, spaceFor } from './install.ts';

/** What downloads a release and starts an update, and the clock; tests replace them. */
const actions = {
  stage: stageRelease,
  start: startUpdate as (...args: Parameters<typeof startUpdate>) => Promise<unknown>,
  now: () => new Date(),
};

/**
 * Installs the offered release without questions, for the timer of `updates.mode: install`. Downloads it
 * at any time; the update starts only in the window, and only if it is likely to end in it. Another
 * command, a mirror that is down and a window that is over are no failures: the next night continues.
 * @param limit seconds until a release that is not ready counts as failed
 * @throws LandfallError DISK_FULL, and other errors that the next night will not solve
 */
export async function installScheduled(facts: Facts, limit: number, act = actions): Promise<void> {
  const { host, site, release } = facts;
  // A timer of before the site was changed.
  if (updateMode(site) !== 'install') return say(notSet);
  const lock = await tryRunLock(host, 'update');
  if (!lock) return say(busy);
  let staged: Transaction | undefined;
  try {
    staged = await readyToStart(facts, limit, act);
  } catch (error) {
    const isRunning = error instanceof LandfallError && error.code === 'ALREADY_RUNNING';
    if (!isRunning && !(error instanceof LandfallError && error.retriable)) throw error;
    console.log(formatError(error));
  } finally {
    if (!staged) await lock.release();
  }
  if (!staged) return;
  await act.start(facts, staged, { limit, lock, unattended: true });
  say(started(release.version, staged.to));
}

/** Downloads the offered release. Returns the update to start now; undefined if there is none. */
async function readyToStart(
  facts: Facts,
  limit: number,
  act: typeof actions,
): Promise<Transaction | undefined> {
  const { host, site } = facts;
  const running = await storedTransaction.read(host);
  if (running && isApplying(running)) return say(inProgress);
  const state = await checkUpdates(facts, act.now());
  const { offer } = state;
  if (offer?.kind !== 'update') return void console.log(describeUpdate(state));
  const next = offeredRelease(site, offer);
  const givenUp = await whyGivenUp(host, next);
  if (givenUp) return say(notAgain(next.version, givenUp.reason));
  const isDownloaded = running?.state === 'staged' && running.manifest === next.manifest;
  await expectSpace(facts, state, next.version, [
    await spaceFor(host, next),
    isDownloaded ? 0 : (next.disk ?? 0),
  ]);
  const staged = await act.stage(facts, next);
  const space = await spaceFor(host, next);
  await expectSpace(facts, state, next.version, [space, 0]);
  const expected = expectedTime(offer.pause, space, limit);
  if (await isTooLong(facts, state, next.version, expected)) return undefined;
  const left = timeLeft(act.now(), site);
  if (left === undefined || left < expected) return say(later(next.version, facts));
  return (await isChanging(host)) ? say(busy) : staged;
}

function say(text: Text): undefined {
  console.log(inLanguage(text));
}

/** A driver that waits for another command could leave the window. */
async function isChanging(host: Host): Promise<boolean> {
  return (await isRunLocked(host, 'changes')) || (await isRunLocked(host, 'first-boot'));
}

/** Bytes per second at which a slow disk copies the chats and reads the copy again. */
const copyRate = 50e6;
/** Milliseconds. */
const minTime = 5 * 60_000;
/** Milliseconds by which the timer may start later. */
const timerDelay = 10 * 60_000;

/**
 * Returns how long an update may take, in milliseconds: the copy of the chats, then the pause of the last
 * change of the containers, or the time until a release that is not ready counts as failed.
 */
export function expectedTime(
  pause: number | null,
  { size }: Pick<CopySpace, 'size'>,
  limit: number,
): number {
  const copy = (size / copyRate) * 1000;
  return Math.max(minTime, copy + Math.max(pause ?? 0, limit * 1000));
}

/** @throws LandfallError DISK_FULL, of which an alert is sent once */
async function expectSpace(
  facts: Facts,
  state: UpdateState,
  version: string,
  [space, release]: readonly [CopySpace, number],
): Promise<void> {
  const shortage = shortageOf(space, release);
  if (!shortage) return;
  await alertOnce(facts, state, `no space for ${version}`, {
    en: `release ${version} was not installed: ${shortage.en}`,
    zh: `没有安装新版本 ${version}：${shortage.zh}`,
  });
  throw noSpace(shortage);
}

/** Returns whether an update takes too long for the window in any night, of which an alert is sent once. */
async function isTooLong(
  facts: Facts,
  state: UpdateState,
  version: string,
  expected: number,
): Promise<boolean> {
  const { length, texts } = windowOf(facts.site);
  if (expected <= length * 60_000 - timerDelay) return false;
  const [time, window] = [formatDuration(expected), texts.join('-')];
  const text = {
    en: `release ${version} was not installed: it may take ${time}, and the window ${window} is too short`,
    zh: `没有安装新版本 ${version}：可能需要 ${time}，时间段 ${window} 太短`,
  };
  say(text);
  await alertOnce(facts, state, `short window for ${version}`, text);
  return true;
}

async function alertOnce(
  { host, site }: Facts,
  state: UpdateState,
  id: string,
  text: Text,
): Promise<void> {
  await announce({ host, site }, state, [aboutUpdates(id, text)]);
  await deliverAlerts(host, site);
}

const notSet = {
  en: 'updates.mode of the site is not install.',
  zh: '站点的 updates.mode 不是 install。',
};
const inProgress = { en: 'An update is in progress.', zh: '更新正在进行。' };
const busy = {
  en: 'Another command is running. The next night continues.',
  zh: '另一个命令正在运行，下一个夜间继续。',
};

function notAgain(version: string, reason: string): Text {
  return {
    en: `Release ${version} is not installed again without a request: ${reason}`,
    zh: `不会自动再次安装版本 ${version}：${translated(reason)}`,
  };
}

function later(version: string, { site }: Facts): Text {
  const window = windowOf(site).texts.join('-');
  return {
    en: `Release ${version} is downloaded. It is installed at the start of the next window, ${window}.`,
    zh: `版本 ${version} 已下载，将在下一个时间段（${window}）开始时安装。`,
  };
}

function started(from: string, to: string): Text {
  return { en: `Updating from ${from} to ${to}.`, zh: `正在从 ${from} 更新到 ${to}。` };
}
