import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../host/host.ts';
import type { RunLock } from '../host/lock/run-lock.ts';
import type { Facts } from '../load-facts.ts';
import { startDriver } from '../transaction/driver-unit.ts';
import { beginEvents, eventsAfter } from '../transaction/events.ts';
import { runPhase } from '../transaction/phases.ts';
import { folderOf } from '../update/download/release-folder.ts';
import { readHistory } from '../update/history.ts';
import { readTransaction, type Transaction, writeTransaction } from '../update/transaction.ts';

/**
 * Applies an update whose release is on the server, in a unit of its own, and follows it: Ctrl-C and a
 * closed window do not stop it.
 * @param limit seconds until a release that is not ready counts as failed
 * @param lock that of this command, which the unit takes
 * @throws LandfallError UPDATE_FAILED if it was rolled back
 */
export async function applyStaged(
  facts: Facts,
  staged: Transaction,
  limit: number,
  lock: RunLock,
): Promise<void> {
  const { host } = facts;
  const open = await withPlan(facts, staged, limit);
  await beginEvents(host);
  await lock.release();
  await startDriver(host, facts.releaseFolder);
  await followUpdate(host, open);
}

/** Adds what the update changes, as Compose decides it. */
async function withPlan(
  { host, release: { arch } }: Facts,
  staged: Transaction,
  limit: number,
): Promise<Transaction> {
  const folder = host.path(folderOf({ version: staged.to, arch }));
  const events = await runPhase(
    host,
    { folder },
    { transaction: staged.id, phase: 'plan', limit: 300, onLine: () => {} },
  );
  const planned = events.find((event) => event.event === 'plan');
  const changed = planned?.event === 'plan' ? planned.changed : null;
  const closes = changed === null || changed.some((name) => name === 'ui' || name === 'engine');
  const open = { ...staged, began: new Date().toISOString(), plan: { changed, closes, limit } };
  await writeTransaction(host, open);
  return open;
}

const pauseMs = 300;

/** Prints the progress of an update until it ends. @throws LandfallError UPDATE_FAILED */
export async function followUpdate(host: Host, { id, to, from }: Transaction): Promise<void> {
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
    for (const { state, text } of events) console.log(text ?? inLanguage(stateTexts[state]));
    if (!isOpen) break;
    await sleep(pauseMs);
  }
  const ended = (await readHistory(host)).find((entry) => entry.id === id);
  if (ended?.outcome === 'committed') {
    const en = `Release ${to} is installed. To go back: sudo landfall update rollback`;
    return console.log(
      inLanguage({ en, zh: `已安装版本 ${to}。如需恢复：sudo landfall update rollback` }),
    );
  }
  const { message, problems = [] } = ended?.reason ?? { message: 'the reason is not known' };
  throw new LandfallError('UPDATE_FAILED', `${to} was rolled back: ${message}`, {
    hint: `${from} runs again, with all data. \`sudo landfall update history\` has the reason.`,
    problems: problems.map((text) => ({ message: text })),
  });
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
