import { inLanguage } from '#contract/text/language.ts';
import type { TextStyle } from '#contract/text/paint.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { kinds, nameOfState } from '../../operations/transactions/kinds.ts';
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
    const { en, zh } = kinds[updating.kind].now(updating.to);
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
  const { en, zh } = kinds[kind].row(to);
  const end = {
    en: `${en} (${state}); ${command}`,
    zh: `${zh}（${nameOfState(state)}）；${command}`,
  };
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
