import { inLanguage, type Text } from '#contract/text/language.ts';
import type { TextStyle } from '#contract/text/paint.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { announcementsOf } from '../../operations/update/announcements.ts';
import type { UpdateState } from '../../operations/update/state.ts';
import type { updateInProgress } from '../../server/records/transaction.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

type Updating = NonNullable<Awaited<ReturnType<typeof updateInProgress>>>;

interface StyledText {
  readonly text: string;
  readonly colour?: TextStyle;
}

/** What is known of the release of a server, and of newer ones. */
export interface ReleaseFacts {
  readonly release: string;
  readonly update: UpdateState | undefined;
  /** The newer release, if this server went back from it. */
  readonly givenUp?: string | undefined;
  /** What is being applied. */
  readonly updating: Updating | undefined;
}

const progressTexts: Readonly<Record<Updating['kind'], (to: string) => Text>> = {
  update: (to) => ({ en: `${to} is being installed`, zh: `正在安装 ${to}` }),
  rollback: (to) => ({ en: `going back to ${to}`, zh: `正在回滚到 ${to}` }),
  restore: () => ({ en: 'a backup is being restored', zh: '正在恢复备份' }),
  site: () => ({ en: 'a changed site is being applied', zh: '正在应用站点更改' }),
};

/** Returns the installed release, and what is known of a newer one. */
export function releaseLine({ release, update, givenUp, updating }: ReleaseFacts): StyledText {
  if (updating?.state === 'stuck') {
    const text = say(
      `${release}; the rollback of ${updating.to} is stuck; sudo landfall update resume`,
      `${release}；${updating.to} 的回滚已停住；sudo landfall update resume`,
    );
    return { text, colour: 'red' };
  }
  if (updating) {
    const { en, zh } = progressTexts[updating.kind](updating.to);
    return { text: say(`${release}; ${en}`, `${release}；${zh}`), colour: 'yellow' };
  }
  if (givenUp) {
    const text = say(
      `${release}; ${givenUp} was rolled back on this server; sudo landfall update status`,
      `${release}；${givenUp} 在这台服务器上安装后已回滚；sudo landfall update status`,
    );
    return { text, colour: 'yellow' };
  }
  if (!update)
    return { text: say(`${release}; no check for newer ones`, `${release}；未检查新版本`) };
  const [first] = announcementsOf(update);
  if (first) return { text: `${release}${say('; ', '；')}${first.text}`, colour: 'yellow' };
  const time = formatTime(new Date(update.at));
  return update.channel === null
    ? {
        text: say(
          `${release}; no channel could be read, checked ${time}`,
          `${release}；无法读取频道，检查于 ${time}`,
        ),
        colour: 'yellow',
      }
    : {
        text: say(
          `${release}; none newer, checked ${time}`,
          `${release}；已是最新，检查于 ${time}`,
        ),
      };
}

/** Returns the row of the status for what is being applied. */
export function updatingRow({ kind, to, state }: Updating): StyledText {
  const command = 'sudo landfall update status';
  if (state === 'stuck') return { text: inLanguage(stuckText), colour: 'red' };
  if (state === 'confirming') return { text: inLanguage(waitingText), colour: 'yellow' };
  const { en, zh } = statusTexts[kind](to);
  const end = { en: `${en} (${state}); ${command}`, zh: `${zh}（${state}）；${command}` };
  return { text: inLanguage(end), colour: 'yellow' };
}

const stuckText = {
  en: 'update: the rollback is stuck, nothing was deleted; sudo landfall update resume',
  zh: '更新：回滚已停住，没有删除任何数据；sudo landfall update resume',
};
const waitingText = {
  en: 'site: a change waits for its confirmation; sudo landfall confirm',
  zh: '站点：更改等待确认；sudo landfall confirm',
};

const statusTexts: Readonly<Record<Updating['kind'], (to: string) => Text>> = {
  site: () => ({ en: 'site: a change is being applied', zh: '站点：正在应用更改' }),
  restore: () => ({ en: 'restore: a backup is being restored', zh: '恢复：正在恢复备份' }),
  rollback: (to) => ({
    en: `update: going back to release ${to}`,
    zh: `更新：正在回滚到版本 ${to}`,
  }),
  update: (to) => ({
    en: `update: release ${to} is being installed`,
    zh: `更新：正在安装版本 ${to}`,
  }),
};
