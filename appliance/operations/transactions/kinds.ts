import type { Text } from '#contract/text/language.ts';
import type { Transaction, TransactionState } from '../../server/records/transaction.ts';

/** Versions of a transaction. */
type Versions = Pick<Transaction, 'from' | 'to'>;

/** What the kinds of transactions differ in. */
interface Kind {
  /** A change of the site stops no component that it keeps, and changes no data; a restore changes no stage before the stack. */
  readonly changes: 'release' | 'data' | 'site';
  /** Names it. */
  readonly name: (to: string) => Text;
  /** What happens while it is applied. */
  readonly now: (to: string) => Text;
  /** In the history, when it is in effect. */
  readonly result: Text;
  /** In an alert, before the reason. */
  readonly failed: (versions: Versions) => Text;
}

/** Every kind of transaction. */
export const kinds: Readonly<Record<Transaction['kind'], Kind>> = {
  update: {
    changes: 'release',
    name: (to) => ({ en: to, zh: to }),
    now: (to) => ({ en: `release ${to} is being installed`, zh: `正在安装版本 ${to}` }),
    result: { en: 'installed', zh: '已安装' },
    failed: ({ from, to }) => ({
      en: `update to ${to} failed, ${from} runs again`,
      zh: `更新到 ${to} 失败，已恢复 ${from}`,
    }),
  },
  rollback: {
    changes: 'release',
    name: (to) => ({ en: `return to ${to}`, zh: `恢复到 ${to}` }),
    now: (to) => ({ en: `going back to release ${to}`, zh: `正在回滚到版本 ${to}` }),
    result: { en: 'went back', zh: '已回滚' },
    failed: ({ from, to }) => ({
      en: `the rollback to ${to} failed, ${from} runs again`,
      zh: `回滚到 ${to} 失败，已恢复 ${from}`,
    }),
  },
  restore: {
    changes: 'data',
    name: () => ({ en: 'restore of a backup', zh: '恢复备份' }),
    now: () => ({ en: 'a backup is being restored', zh: '正在恢复备份' }),
    result: { en: 'backup restored', zh: '已恢复备份' },
    failed: () => ({
      en: 'restoring a backup failed, the earlier chats are back',
      zh: '恢复备份失败，已还原恢复前的对话',
    }),
  },
  site: {
    changes: 'site',
    name: () => ({ en: 'change of the site', zh: '更改站点' }),
    now: () => ({ en: 'a changed site is being applied', zh: '正在应用站点更改' }),
    result: { en: 'site changed', zh: '已更改站点' },
    failed: () => ({
      en: 'the changed site was not applied, the earlier one is back',
      zh: '站点更改未能应用，已恢复之前的站点',
    }),
  },
};

const chineseStates: Readonly<Record<TransactionState, string>> = {
  downloading: '下载中',
  staged: '已下载',
  preparing: '准备中',
  closed: '已关闭',
  copied: '已复制',
  switching: '切换中',
  verifying: '测试中',
  confirming: '等待确认',
  committed: '收尾中',
  'rolling-back': '回滚中',
  'rolled-back': '已回滚',
  stuck: '已停住',
};

/** Returns the name of a state; in English the one of the file, which programs read too. */
export function nameOfState(state: TransactionState): Text {
  return { en: state, zh: chineseStates[state] };
}

/** Returns whether a transaction changes what it names: the release, the data, or the site. */
export function changes(what: Kind['changes'], { kind }: Pick<Transaction, 'kind'>): boolean {
  return kinds[kind].changes === what;
}
