import type { Text } from '#contract/text/language.ts';
import type { Transaction, TransactionState } from '../../server/records/transaction.ts';
import { refusedSiteFile } from './stored-sites.ts';

type Versions = Pick<Transaction, 'from' | 'to'>;

/** What those who follow a transaction read. */
export interface FollowWords {
  /** What begins; undefined for a state that has nothing to do. */
  readonly states: Readonly<Record<TransactionState, Text | undefined>>;
  /** After Ctrl-C. */
  readonly goesOn: Text;
  readonly done: Text;
  /** The beginning of the error, and what is in effect after it. */
  readonly failed: Text;
  readonly now: Text;
}

/** What the kinds of transactions differ in. */
interface Kind {
  /** A change of the site stops no component that it keeps, and changes no data; a restore changes no stage before the stack. */
  readonly changes: 'release' | 'data' | 'site';
  /** What a condition about it is about. */
  readonly topic: 'update' | 'restore' | 'site';
  /** Whether it leads back to a release that worked on this server. */
  readonly isReturn: boolean;
  /** Names it. */
  readonly name: (to: string) => Text;
  /** What happens while it is applied. */
  readonly now: (to: string) => Text;
  /** In the history, when it is in effect. */
  readonly result: Text;
  /** In an alert, before the reason. */
  readonly failed: (versions: Versions) => Text;
  /** @param isTested whether its phase `verify` has something to do */
  readonly words: (open: Transaction, isTested: boolean) => FollowWords;
}

/** What begins in a state of an update, and the Chinese name of the state. */
const stateTexts: Readonly<Record<TransactionState, Text & { readonly name: string }>> = {
  downloading: { name: '下载中', en: 'downloading', zh: '下载' },
  staged: { name: '已下载', en: 'downloaded', zh: '已下载' },
  preparing: {
    name: '准备中',
    ...{ en: 'preparing; the server is open', zh: '准备中，服务照常运行' },
  },
  closed: {
    name: '已关闭',
    ...{ en: 'closed: stopping and copying the chats', zh: '已关闭：停止服务并复制对话数据' },
  },
  copied: { name: '已复制', en: 'the copy is complete', zh: '复制完成' },
  switching: { name: '切换中', en: 'starting the new release', zh: '启动新版本' },
  verifying: { name: '测试中', en: 'testing the new release', zh: '测试新版本' },
  confirming: {
    name: '等待确认',
    en: 'it works. Log in again from your computer, in a second window, and run `sudo landfall confirm` there within 10 minutes. Otherwise the earlier site comes back.',
    zh: '新站点运行正常。请在 10 分钟内，从您的电脑再开一个窗口重新登录，并运行 `sudo landfall confirm`；否则将恢复之前的站点。',
  },
  committed: {
    name: '收尾中',
    ...{ en: 'the new release works; opening the server', zh: '新版本正常，重新开放服务' },
  },
  'rolling-back': {
    name: '回滚中',
    ...{ en: 'going back to the earlier release', zh: '正在恢复旧版本' },
  },
  'rolled-back': {
    name: '已回滚',
    ...{ en: 'the earlier release works; opening the server', zh: '旧版本正常，重新开放服务' },
  },
  stuck: {
    name: '已停住',
    en: 'the way back has failed too often; nothing is deleted. Continue it with: sudo landfall update resume',
    zh: '回滚多次失败，已停住；没有删除任何数据。继续回滚：sudo landfall update resume',
  },
};

/** Every kind of transaction. */
export const kinds: Readonly<Record<Transaction['kind'], Kind>> = {
  update: {
    ...{ changes: 'release', topic: 'update', isReturn: false },
    name: (to) => ({ en: to, zh: to }),
    now: (to) => ({ en: `release ${to} is being installed`, zh: `正在安装版本 ${to}` }),
    result: { en: 'installed', zh: '已安装' },
    failed: ({ from, to }) => ({
      en: `update to ${to} failed, ${from} runs again`,
      zh: `更新到 ${to} 失败，已恢复 ${from}`,
    }),
    words: ({ from, to, plan }) => {
      const keeps = plan?.keepsPrevious !== false;
      const back = keeps ? 'sudo landfall update rollback' : '';
      const withoutCopy = {
        closed: { en: 'closed: stopping the server', zh: '已关闭：停止服务' },
        copied: { en: 'stopped; no copy was made', zh: '已停止，没有复制对话数据' },
      };
      return {
        states: { ...stateTexts, ...(keeps ? {} : withoutCopy) },
        goesOn: {
          en: '\nThe update goes on. Follow it with: sudo landfall update',
          zh: '\n更新会继续进行。查看进度：sudo landfall update',
        },
        done: {
          en: `Release ${to} is installed.${back && ` To go back: ${back}`}`,
          zh: `已安装版本 ${to}。${back && `如需恢复：${back}`}`,
        },
        failed: { en: `${to} was rolled back`, zh: `${to} 已回滚` },
        now: {
          en: `${from} runs again, with ${keeps ? 'all data' : 'the data as they are'}.`,
          zh: `已恢复 ${from}，${keeps ? '数据完整' : '数据保持现状'}。`,
        },
      };
    },
  },
  rollback: {
    ...{ changes: 'release', topic: 'update', isReturn: true },
    name: (to) => ({ en: `return to ${to}`, zh: `恢复到 ${to}` }),
    now: (to) => ({ en: `going back to release ${to}`, zh: `正在回滚到版本 ${to}` }),
    result: { en: 'went back', zh: '已回滚' },
    failed: ({ from, to }) => ({
      en: `the rollback to ${to} failed, ${from} runs again`,
      zh: `回滚到 ${to} 失败，已恢复 ${from}`,
    }),
    words: ({ from, to }) => ({
      states: {
        ...stateTexts,
        switching: { en: `starting ${to} again`, zh: `重新启动 ${to}` },
        verifying: { en: `testing ${to}`, zh: `测试 ${to}` },
        committed: { en: `${to} works; opening the server`, zh: `${to} 正常，重新开放服务` },
        'rolling-back': {
          en: `${to} does not work; ${from} comes back`,
          zh: `${to} 无法正常工作，正在恢复 ${from}`,
        },
        'rolled-back': {
          en: `${from} works; opening the server`,
          zh: `${from} 正常，重新开放服务`,
        },
      },
      goesOn: {
        en: '\nThe rollback goes on. Follow it with: sudo landfall update',
        zh: '\n回滚会继续进行。查看进度：sudo landfall update',
      },
      done: {
        en: `Release ${to} is installed again. To try ${from} once more: sudo landfall update --retry`,
        zh: `已恢复版本 ${to}。如需再次安装 ${from}：sudo landfall update --retry`,
      },
      failed: { en: `the rollback to ${to} failed`, zh: `回滚到 ${to} 失败` },
      now: { en: `${from} runs again, with all data.`, zh: `已恢复 ${from}，数据完整。` },
    }),
  },
  restore: {
    ...{ changes: 'data', topic: 'restore', isReturn: false },
    name: () => ({ en: 'restore of a backup', zh: '恢复备份' }),
    now: () => ({ en: 'a backup is being restored', zh: '正在恢复备份' }),
    result: { en: 'backup restored', zh: '已恢复备份' },
    failed: () => ({
      en: 'restoring a backup failed, the earlier chats are back',
      zh: '恢复备份失败，已还原恢复前的对话',
    }),
    words: () => ({
      states: {
        ...stateTexts,
        preparing: { en: 'testing the server; it is open', zh: '测试服务器，服务照常运行' },
        switching: { en: 'starting with the restored chats', zh: '使用恢复的对话启动' },
        verifying: { en: 'testing the restored chats', zh: '测试恢复的对话' },
        committed: {
          en: 'the restored chats work; opening the server',
          zh: '恢复的对话正常，重新开放服务',
        },
        'rolling-back': { en: 'going back to the chats of before', zh: '正在还原恢复前的对话' },
        'rolled-back': {
          en: 'the chats of before work; opening the server',
          zh: '恢复前的对话正常，重新开放服务',
        },
      },
      goesOn: {
        en: '\nThe restore goes on. Follow it with: sudo landfall restore',
        zh: '\n恢复会继续进行。查看进度：sudo landfall restore',
      },
      done: {
        en: 'The backup is restored. To go back to the chats of before: sudo landfall restore --undo',
        zh: '备份已恢复。如需还原恢复前的对话：sudo landfall restore --undo',
      },
      failed: { en: 'the restore was undone', zh: '恢复已撤销' },
      now: { en: 'The chats are those of before.', zh: '对话已还原为恢复之前的。' },
    }),
  },
  site: {
    ...{ changes: 'site', topic: 'site', isReturn: false },
    name: () => ({ en: 'change of the site', zh: '更改站点' }),
    now: () => ({ en: 'a changed site is being applied', zh: '正在应用站点更改' }),
    result: { en: 'site changed', zh: '已更改站点' },
    failed: () => ({
      en: 'the changed site was not applied, the earlier one is back',
      zh: '站点更改未能应用，已恢复之前的站点',
    }),
    words: ({ plan }, isTested) => ({
      states: {
        ...stateTexts,
        preparing: {
          en: 'applying the site; the server is open',
          zh: '正在应用站点，服务照常运行',
        },
        switching:
          plan?.changed?.length === 0
            ? undefined
            : { en: 'restarting what changed', zh: '重启有变化的组件' },
        verifying: isTested ? { en: 'testing the server', zh: '测试服务器' } : undefined,
        // The result follows.
        committed: undefined,
        'rolling-back': { en: 'going back to the earlier site', zh: '正在恢复之前的站点' },
        'rolled-back': { en: 'the earlier site is in effect', zh: '已恢复之前的站点' },
      },
      goesOn: {
        en: '\nThe change goes on. Follow it with: sudo landfall update status',
        zh: '\n更改会继续进行。查看进度：sudo landfall update status',
      },
      done: {
        en: 'The site is applied. To go back to the one before: sudo landfall site undo',
        zh: '站点已应用。如需恢复之前的站点：sudo landfall site undo',
      },
      failed: { en: 'the site was not applied', zh: '站点没有应用' },
      now: {
        en: `The earlier site is in effect; yours is in /${refusedSiteFile}.`,
        zh: `之前的站点仍然有效；您的站点在 /${refusedSiteFile}。`,
      },
    }),
  },
};

/** Returns the name of a state; in English the one of the file, which programs read too. */
export function nameOfState(state: TransactionState): Text {
  return { en: state, zh: stateTexts[state].name };
}

/** Returns whether a transaction changes what it names: the release, the data, or the site. */
export function changes(what: Kind['changes'], { kind }: Pick<Transaction, 'kind'>): boolean {
  return kinds[kind].changes === what;
}
