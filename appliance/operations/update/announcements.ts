import { currentLanguage, inLanguage, type Language } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Warning } from '../../server/stage/reporter.ts';
import type { UpdateState } from './state.ts';

type Update = Extract<NonNullable<UpdateState['offer']>, { kind: 'update' }>;

/** Says how to add a channel to a server without one. */
export const noChannels = {
  en: 'This server has no channel, so it learns of no updates. Add the URL of one: `sudo landfall site add updates.channels <URL>`.',
  zh: '这台服务器没有更新频道，无法获知新版本。添加频道地址：`sudo landfall site add updates.channels <URL>`。',
};

const command = 'sudo landfall update status';

/** A message for the report, the login message and alerts. */
export interface Announcement {
  /** Identifies what it is about: `release 1.1.0`. */
  readonly id: string;
  readonly text: string;
}

/** Returns what the administrator should hear once: a new release, a withdrawn one, refused keys. */
export function announcementsOf(
  { offer, withdrawn, installed, failures }: UpdateState,
  language: Language = currentLanguage(),
): Announcement[] {
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const refused = failures.filter(({ code }) => code === 'TRUST_REFUSED');
  return [
    ...(offer?.kind === 'update' ? [newRelease(offer, say)] : []),
    ...(withdrawn === null
      ? []
      : [
          {
            id: `withdrawn ${installed}`,
            text: say(
              `release ${installed}, which runs here, was withdrawn: ${plainLine(withdrawn)}`,
              `正在运行的版本 ${installed} 已被撤回：${plainLine(withdrawn)}`,
            ),
          },
        ]),
    ...refused.map(({ mirror, message }) => ({
      id: `keys of ${mirror}`,
      text: say(
        `a change of the trusted keys was refused (${mirror}): ${plainLine(message)}`,
        `拒绝了可信密钥的更改（${mirror}）：${plainLine(message)}`,
      ),
    })),
  ];
}

function newRelease(
  { version, security }: Update,
  say: (en: string, zh: string) => string,
): Announcement {
  const texts = {
    none: say(`release ${version} is available`, `有新版本 ${version}`),
    moderate: say(
      `release ${version} solves a security problem`,
      `新版本 ${version} 修复一个安全问题`,
    ),
    critical: say(`critical security update: release ${version}`, `严重安全更新：版本 ${version}`),
  };
  return { id: `release ${version}`, text: texts[security] };
}

/** Returns the warnings of the report after a check. */
export function updateWarnings(state: UpdateState, language: Language = 'en'): Warning[] {
  return announcementsOf(state, language).map(({ id, text }) => ({
    kind: 'update',
    subject: id,
    text: `${text}; ${command}`,
  }));
}

/** Returns one line for `landfall status`. */
export function updateLine(state: UpdateState): string {
  const [first] = announcementsOf(state);
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  if (first) return `${say('update', '更新')}: ${first.text}; ${command}`;
  const time = formatTime(new Date(state.at));
  if (state.channel === null) {
    return say(
      `update: no channel could be read, checked ${time}; ${command}`,
      `更新：无法读取任何频道，检查于 ${time}；${command}`,
    );
  }
  return say(`update: none, checked ${time}`, `更新：没有新版本，检查于 ${time}`);
}
