import { inLanguage } from '#contract/text/language.ts';
import type { TextStyle } from '#contract/text/paint.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { announcementsOf } from '../../operations/update/announcements.ts';
import type { UpdateState } from '../../operations/update/state.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** What is known of the release of a server, and of newer ones. */
export interface ReleaseFacts {
  readonly release: string;
  readonly update: UpdateState | undefined;
  /** The newer release, if this server went back from it. */
  readonly givenUp?: string | undefined;
  /** The release that is being installed. */
  readonly updating: string | undefined;
  /** Whether a changed site is applied instead of a release. */
  readonly isOfSite?: boolean;
  /** Whether its rollback is stuck. */
  readonly isStuck?: boolean;
}

/** Returns the installed release, and what is known of a newer one. */
export function releaseLine({
  release,
  update,
  givenUp,
  updating,
  isOfSite,
  isStuck,
}: ReleaseFacts): {
  readonly text: string;
  readonly colour?: TextStyle;
} {
  if (isStuck) {
    const text = say(
      `${release}; the rollback of ${updating} is stuck; sudo landfall update resume`,
      `${release}；${updating} 的回滚已停住；sudo landfall update resume`,
    );
    return { text, colour: 'red' };
  }
  if (updating !== undefined) {
    const text = isOfSite
      ? say(`${release}; a changed site is being applied`, `${release}；正在应用站点更改`)
      : say(`${release}; ${updating} is being installed`, `${release}；正在安装 ${updating}`);
    return { text, colour: 'yellow' };
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
