import type { NeededInput } from '#contract/needed-input.ts';
import type { Text } from '#contract/text/language.ts';
import type { StageStatus, Status } from '../status.ts';

export const stateTexts: Readonly<Record<StageStatus['state'] | 'interrupted', Text>> = {
  waiting: { en: 'waiting', zh: '等待' },
  running: { en: 'running', zh: '进行中' },
  interrupted: { en: 'interrupted', zh: '已中断' },
  applied: { en: 'done', zh: '完成' },
  kept: { en: 'unchanged', zh: '未改动' },
  failed: { en: 'FAILED', zh: '失败' },
};

/** The smoke tests change nothing: without a failure they have passed. */
const passed: Text = { en: 'passed', zh: '已通过' };

/** Returns the state of a stage as users see it. */
export function stateTextOf(name: string, state: keyof typeof stateTexts): Text {
  return name === 'smoke' && state === 'kept' ? passed : stateTexts[state];
}

export const headings: Readonly<Record<Status['state'], Text>> = {
  running: { en: 'This server is being set up', zh: '正在部署此服务器' },
  done: { en: 'This server is ready', zh: '服务器已就绪' },
  failed: { en: 'The setup has stopped', zh: '部署已中断' },
};

export const advice: Readonly<Record<Status['state'], Text>> = {
  running: {
    en: 'This page refreshes automatically. When the setup is complete, it leads to the services.',
    zh: '本页自动刷新，部署完成后会给出服务入口。',
  },
  done: { en: 'Reload this page in a moment.', zh: '请稍后刷新本页。' },
  failed: {
    en: 'The setup is retried automatically. The administrator can log in to see the reason.',
    zh: '系统会自动重试。服务器管理员可登录查看原因。',
  },
};

/** Replaces the advice when the setup is complete and its URL is known. */
export const openAt: Text = { en: 'Done. Open:', zh: '部署完成，请打开：' };

/** Replaces the status line while the setup needs its administrator. */
export const waitsForOwner: Readonly<Record<NeededInput, Text>> = {
  proxies: {
    en: 'The setup waits for its administrator, who must import proxies. Then it continues.',
    zh: '部署正在等待管理员导入代理节点，导入后会自动继续。',
  },
  restore: {
    en: 'The setup waits for its administrator, who must restore a backup. Then it continues.',
    zh: '部署正在等待管理员恢复备份，恢复后会自动继续。',
  },
};

export const ownerHint: Text = {
  en: 'Is this your server? Log in over SSH and run:',
  zh: '这是您的服务器？请通过 SSH 登录并运行：',
};

/** The name of the product, the same in both languages. */
export const productName = 'Landfall';

/** Returns how long the setup has run, and how long it still takes if that is known. */
export function describeTime(elapsed: Text, remaining?: Text): Text {
  const { en, zh } = { en: `Elapsed: ${elapsed.en}.`, zh: `已用时：${elapsed.zh}。` };
  if (!remaining) return { en, zh };
  return {
    en: `${en} Estimated time left: ${remaining.en}.`,
    zh: `${zh}预计剩余：${remaining.zh}。`,
  };
}

/** Returns a number of minutes; 0 is less than one. */
export function describeMinutes(minutes: number): Text {
  if (minutes < 1) return { en: 'less than a minute', zh: '不到 1 分钟' };
  return { en: `${minutes} min`, zh: `${minutes} 分钟` };
}

export const overall: Text = { en: 'All stages', zh: '总进度' };
