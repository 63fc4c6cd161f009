import { messageOf } from '#contract/text/chinese-errors.ts';
import { currentLanguage, inLanguage, type Language, type Text } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Warning } from '../../../server/stage/reporter.ts';
import type { Checked } from '../probe-destinations.ts';
import { failuresUntilAlert, type RouteChange, type RouteState } from './state.ts';

/** Formats the results of a check as a table. */
export function describeChecked(checked: readonly Checked[]): string {
  if (checked.length === 0) return inLanguage(nothing);
  return formatTable(
    checked.map((each) => [
      nameOf(each),
      inLanguage(each.failure === undefined ? reachable : failed),
      causeOf({ cause: each.failure, code: each.code }),
    ]),
  );
}

const nothing = {
  en: 'This server has no destinations to check.',
  zh: '这台服务器没有需要检查的目标。',
};
const reachable = { en: 'reachable', zh: '可访问' };
const failed = { en: 'failed', zh: '失败' };

/** Describes the recorded state, one line per problem, for `landfall status`. */
export function describeRouteState({ at, subjects }: RouteState): string[] {
  const troubled = Object.entries(subjects).filter(([, { failures }]) => failures > 0);
  const line = (text: Text) => inLanguage({ en: `route: ${text.en}`, zh: `线路：${text.zh}` });
  if (troubled.length === 0) {
    const time = formatTime(new Date(at));
    return [line({ en: `working, checked ${time}`, zh: `正常，检查于 ${time}` })];
  }
  return troubled.map(([subject, known]) => {
    const { state, failures, since } = known;
    const name = nameOf({ subject, ...known });
    const [time, cause] = [formatTime(new Date(since)), causeOf(known)];
    if (state === 'failed') return line(failedSince(name, time, cause));
    return line({
      en: `${name} failed ${failures} of ${failuresUntilAlert} checks since ${time}: ${cause}`,
      zh: `${name} 自 ${time} 起检查失败 ${failures} 次（${failuresUntilAlert} 次后告警）：${cause}`,
    });
  });
}

function failedSince(name: string, time: string, cause: string): Text {
  return {
    en: `${name} failed since ${time}: ${cause}`,
    zh: `${name} 自 ${time} 起失败：${cause}`,
  };
}

/** Returns the name of a destination for users. */
export function nameOf(
  { subject, title }: Pick<Checked, 'subject' | 'title'>,
  language: Language = currentLanguage(),
): string {
  return title === undefined ? subject : inLanguage(title, language);
}

/** Returns the cause; in Chinese after the meaning of its code, because it names the host. */
export function causeOf(
  { cause = '', code = '' }: Pick<RouteChange, 'cause' | 'code'>,
  language: Language = currentLanguage(),
): string {
  return inLanguage(messageOf({ code, message: cause }), language);
}

/**
 * Returns the warnings of the report after a check: one for each failed destination, none for a
 * reachable one. A destination with fewer than three failures keeps its warning.
 * @param language that of the site, because the report is stored
 */
export function routeWarnings(
  before: readonly Warning[],
  checked: readonly Checked[],
  { subjects }: RouteState,
  language: Language = 'en',
): Warning[] {
  const current = checked.flatMap(({ subject, warning }): Warning[] => {
    const known = subjects[subject];
    if (known?.state !== 'failed') return [];
    const name = nameOf({ subject, ...known }, language);
    const [time, cause] = [formatTime(new Date(known.since)), causeOf(known, language)];
    return [{ ...warning, text: inLanguage(failedSince(name, time, cause), language) }];
  });
  const isReplaced = ({ kind, subject }: Warning) =>
    checked.some(
      ({ warning, subject: key }) =>
        warning.kind === kind &&
        warning.subject === subject &&
        (subjects[key]?.failures === 0 || subjects[key]?.state === 'failed'),
    );
  return [...before.filter((warning) => !isReplaced(warning)), ...current];
}
