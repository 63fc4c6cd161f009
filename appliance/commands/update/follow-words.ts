import type { Text } from '#contract/text/language.ts';
import { hasWork } from '../../operations/driver/site-work.ts';
import { refusedSiteFile } from '../../operations/transactions/stored-sites.ts';
import type { Transaction, TransactionState } from '../../server/records/transaction.ts';

/** What those who follow a transaction read. */
interface FollowWords {
  /** What begins; undefined for a state that has nothing to do. */
  readonly states: Readonly<Record<TransactionState, Text | undefined>>;
  /** After Ctrl-C. */
  readonly goesOn: Text;
  readonly done: Text;
  /** The beginning of the error, and what is in effect after it. */
  readonly failed: string;
  readonly now: string;
}

/** Returns the words for a kind of transaction. */
export function wordsOf(open: Transaction): FollowWords {
  const { kind, from, to, plan } = open;
  if (kind === 'restore') return wordsOfRestore;
  if (kind === 'site') return wordsOfSite(open);
  if (kind === 'rollback') return wordsOfRollback(open);
  const keeps = plan?.keepsPrevious !== false;
  const back = keeps ? 'sudo landfall update rollback' : '';
  return {
    states: { ...stateTexts, ...(keeps ? {} : textsWithoutCopy) },
    goesOn: {
      en: '\nThe update goes on. Follow it with: sudo landfall update',
      zh: '\n更新会继续进行。查看进度：sudo landfall update',
    },
    done: {
      en: `Release ${to} is installed.${back && ` To go back: ${back}`}`,
      zh: `已安装版本 ${to}。${back && `如需恢复：${back}`}`,
    },
    failed: `${to} was rolled back`,
    now: `${from} runs again, with ${keeps ? 'all data' : 'the data as they are'}.`,
  };
}

const stateTexts = {
  downloading: { en: 'downloading', zh: '下载' },
  staged: { en: 'downloaded', zh: '已下载' },
  preparing: { en: 'preparing; the server is open', zh: '准备中，服务照常运行' },
  closed: { en: 'closed: stopping and copying the chats', zh: '已关闭：停止服务并复制对话数据' },
  copied: { en: 'the copy is complete', zh: '复制完成' },
  switching: { en: 'starting the new release', zh: '启动新版本' },
  verifying: { en: 'testing the new release', zh: '测试新版本' },
  confirming: {
    en: 'it works. Log in again from your computer, in a second window, and run `sudo landfall confirm` there within 10 minutes. Otherwise the earlier site comes back.',
    zh: '新站点运行正常。请在 10 分钟内，从您的电脑再开一个窗口重新登录，并运行 `sudo landfall confirm`；否则将恢复之前的站点。',
  },
  committed: { en: 'the new release works; opening the server', zh: '新版本正常，重新开放服务' },
  'rolling-back': { en: 'going back to the earlier release', zh: '正在恢复旧版本' },
  'rolled-back': {
    en: 'the earlier release works; opening the server',
    zh: '旧版本正常，重新开放服务',
  },
  stuck: {
    en: 'the way back has failed too often; nothing is deleted. Continue it with: sudo landfall update resume',
    zh: '回滚多次失败，已停住；没有删除任何数据。继续回滚：sudo landfall update resume',
  },
} as const;

function wordsOfRollback({ from, to }: Transaction): FollowWords {
  return {
    states: {
      ...stateTexts,
      switching: { en: `starting ${to} again`, zh: `重新启动 ${to}` },
      verifying: { en: `testing ${to}`, zh: `测试 ${to}` },
      committed: { en: `${to} works; opening the server`, zh: `${to} 正常，重新开放服务` },
      'rolling-back': {
        en: `${to} does not work; ${from} comes back`,
        zh: `${to} 无法正常工作，正在恢复 ${from}`,
      },
      'rolled-back': { en: `${from} works; opening the server`, zh: `${from} 正常，重新开放服务` },
    },
    goesOn: {
      en: '\nThe rollback goes on. Follow it with: sudo landfall update',
      zh: '\n回滚会继续进行。查看进度：sudo landfall update',
    },
    done: {
      en: `Release ${to} is installed again. To try ${from} once more: sudo landfall update --retry`,
      zh: `已恢复版本 ${to}。如需再次安装 ${from}：sudo landfall update --retry`,
    },
    failed: `the rollback to ${to} failed`,
    now: `${from} runs again, with all data.`,
  };
}

const textsOfRestore = {
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
} as const;

const textsWithoutCopy = {
  closed: { en: 'closed: stopping the server', zh: '已关闭：停止服务' },
  copied: { en: 'stopped; no copy was made', zh: '已停止，没有复制对话数据' },
} as const;

const wordsOfRestore: FollowWords = {
  states: { ...stateTexts, ...textsOfRestore },
  goesOn: {
    en: '\nThe restore goes on. Follow it with: sudo landfall restore',
    zh: '\n恢复会继续进行。查看进度：sudo landfall restore',
  },
  done: {
    en: 'The backup is restored. To go back to the chats of before: sudo landfall restore --undo',
    zh: '备份已恢复。如需还原恢复前的对话：sudo landfall restore --undo',
  },
  failed: 'the restore was undone',
  now: 'The chats are those of before.',
};

function wordsOfSite(open: Transaction): FollowWords {
  const switching = { en: 'restarting what changed', zh: '重启有变化的组件' };
  const verifying = { en: 'testing the server', zh: '测试服务器' };
  return {
    states: {
      ...stateTexts,
      preparing: { en: 'applying the site; the server is open', zh: '正在应用站点，服务照常运行' },
      switching: open.plan?.changed?.length === 0 ? undefined : switching,
      verifying: hasWork('verify', open) ? verifying : undefined,
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
    failed: 'the site was not applied',
    now: `The earlier site is in effect; yours is in /${refusedSiteFile}.`,
  };
}
