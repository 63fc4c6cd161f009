import { inLanguage, type Language } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Warning } from '../../stage/warning.ts';
import type { Checked } from './check-route.ts';
import type { RouteState } from './state.ts';
import { causeOf, nameOf } from './words.ts';

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
    const text = {
      en: `${name} failed since ${time}: ${cause}`,
      zh: `${name} 自 ${time} 起失败：${cause}`,
    };
    return [{ ...warning, text: inLanguage(text, language) }];
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
