import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../../host/host.ts';
import { isRunLocked, type RunLock } from '../../host/lock/run-lock.ts';
import type { Facts } from '../../load-facts.ts';
import { startDriver } from '../../transaction/driver-unit.ts';
import { beginEvents, eventsAfter } from '../../transaction/events.ts';
import { runPhase } from '../../transaction/phases.ts';
import { folderOf } from '../../update/download/release-folder.ts';
import { readHistory } from '../../update/history.ts';
import { readTransaction, type Transaction, writeTransaction } from '../../update/transaction.ts';
import { closesServer } from './way-back.ts';

/** How an update is applied. */
interface ApplyOptions {
  /** Seconds until a release that is not ready counts as failed. */
  readonly limit: number;
  /** The lock of the command, which the unit takes. */
  readonly lock: RunLock;
  /** Whether the chats are copied and the earlier release stays; default: true. */
  readonly keepsPrevious?: boolean;
  /** Whether the timer starts it. */
  readonly unattended?: boolean;
}

/**
 * Applies an update whose release is on the server, in a unit of its own, and follows it: Ctrl-C and a
 * closed window do not stop it.
 * @throws LandfallError UPDATE_FAILED if it was rolled back
 */
export async function applyStaged(
  facts: Facts,
  staged: Transaction,
  options: ApplyOptions,
): Promise<void> {
  await followUpdate(facts.host, await startUpdate(facts, staged, options));
}

/** Starts the unit that applies an update whose release is on the server. */
export async function startUpdate(
  facts: Facts,
  staged: Transaction,
  options: ApplyOptions,
): Promise<Transaction> {
  const { host } = facts;
  const open = await withPlan(facts, staged, options);
  await beginEvents(host);
  await options.lock.release();
  await startDriver(host, facts.releaseFolder);
  return open;
}

/** Adds what the update changes, as Compose decides it. */
async function withPlan(
  { host, release: { arch } }: Facts,
  staged: Transaction,
  { limit, keepsPrevious = true, unattended = false }: ApplyOptions,
): Promise<Transaction> {
  const folder = host.path(folderOf({ version: staged.to, arch }));
  const events = await runPhase(
    host,
    { folder },
    { transaction: staged.id, phase: 'plan', limit: 300, onLine: () => {} },
  );
  const planned = events.find((event) => event.event === 'plan');
  const changed = planned?.event === 'plan' ? planned.changed : null;
  const closes = closesServer(changed) ?? true;
  const plan = { changed, closes, limit, keepsPrevious };
  const open = { ...staged, began: new Date().toISOString(), unattended, plan };
  await writeTransaction(host, open);
  return open;
}

const pauseMs = 300;

/** Prints the progress of an update until it ends. @throws LandfallError UPDATE_FAILED */
export async function followUpdate(host: Host, open: Transaction): Promise<void> {
  const { id, to, from, plan } = open;
  const keeps = plan?.keepsPrevious !== false;
  const texts = keeps ? stateTexts : { ...stateTexts, ...textsWithoutCopy };
  const detach = () => {
    const text = {
      en: '\nThe update goes on. Follow it with: sudo landfall update',
      zh: '\n更新会继续进行。查看进度：sudo landfall update',
    };
    console.log(inLanguage(text));
    process.exit(130);
  };
  process.once('SIGINT', detach);
  for (let known = 0; ; ) {
    const isOpen = (await readTransaction(host))?.id === id;
    const events = await eventsAfter(host, known);
    known += events.length;
    for (const { state, text } of events) console.log(text ?? inLanguage(texts[state]));
    if (!isOpen) break;
    await sleep(pauseMs);
  }
  await waitForDriver(host);
  const ended = (await readHistory(host)).find((entry) => entry.id === id);
  if (ended?.outcome === 'committed') {
    const back = keeps ? 'sudo landfall update rollback' : '';
    const en = `Release ${to} is installed.${back && ` To go back: ${back}`}`;
    return console.log(inLanguage({ en, zh: `已安装版本 ${to}。${back && `如需恢复：${back}`}` }));
  }
  const { message, problems = [] } = ended?.reason ?? { message: 'the reason is not known' };
  throw new LandfallError('UPDATE_FAILED', `${to} was rolled back: ${message}`, {
    hint: `${from} runs again, with ${keeps ? 'all data' : `the data as ${to} left it`}. \`sudo landfall update history\` has the reason.`,
    problems: problems.map((text) => ({ message: text })),
  });
}

/** Waits until the driver has removed its unit, because the next command needs its lock. */
async function waitForDriver(host: Host): Promise<void> {
  const end = performance.now() + 30_000;
  while ((await isRunLocked(host, 'update')) && performance.now() < end) await sleep(pauseMs);
}

const stateTexts = {
  downloading: { en: 'downloading', zh: '下载' },
  staged: { en: 'downloaded', zh: '已下载' },
  preparing: { en: 'preparing; the server is open', zh: '准备中，服务照常运行' },
  closed: { en: 'closed: stopping and copying the chats', zh: '已关闭：停止服务并复制对话数据' },
  copied: { en: 'the copy is complete', zh: '复制完成' },
  switching: { en: 'starting the new release', zh: '启动新版本' },
  verifying: { en: 'testing the new release', zh: '测试新版本' },
  committed: { en: 'the new release works; opening the server', zh: '新版本正常，重新开放服务' },
  'rolling-back': { en: 'going back to the earlier release', zh: '正在恢复旧版本' },
  'rolled-back': {
    en: 'the earlier release works; opening the server',
    zh: '旧版本正常，重新开放服务',
  },
} as const;

const textsWithoutCopy = {
  closed: { en: 'closed: stopping the server', zh: '已关闭：停止服务' },
  copied: { en: 'stopped; no copy was made', zh: '已停止，没有复制对话数据' },
} as const;
