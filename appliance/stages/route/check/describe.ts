import { messageOf } from '#contract/text/chinese-errors.ts';
import { currentLanguage, inBoth, inLanguage, type Language } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { type Condition, failed, labelled, lineOf } from '../../../server/conditions/condition.ts';
import type { Warning } from '../../../server/stage/reporter.ts';
import type { Checked } from '../probe-destinations.ts';
import { failuresUntilAlert, type RouteChange, type RouteState } from './state.ts';

/** Formats the results of a check as a table. */
export function describeChecked(checked: readonly Checked[]): string {
  if (checked.length === 0) return inLanguage(nothing);
  return formatTable(
    checked.map((each) => [
      inLanguage(each.title ?? inBoth(each.subject)),
      inLanguage(each.failure === undefined ? reachable : unreachable),
      causeOf({ cause: each.failure, code: each.code }),
    ]),
  );
}

const nothing = {
  en: 'This server has no destinations to check.',
  zh: '这台服务器没有需要检查的目标。',
};
const reachable = { en: 'reachable', zh: '可访问' };
const unreachable = { en: 'failed', zh: '失败' };

/** Returns a condition for each destination whose last checks failed. */
export function routeConditions({ subjects }: Pick<RouteState, 'subjects'>): Condition[] {
  return Object.entries(subjects)
    .filter(([, { failures }]) => failures > 0)
    .map(([subject, known]) => routeCondition({ subject, ...known }));
}

/** Returns the condition of a destination. With fewer failures than an alert needs, it is a note. */
export function routeCondition({
  failures = failuresUntilAlert,
  ...change
}: RouteChange & { readonly failures?: number }): Condition {
  const { subject, title = inBoth(subject), cause = '', code = '', since } = change;
  const detail = messageOf({ code, message: cause });
  const rest = { topic: 'route', subject, command: 'sudo landfall route test' } as const;
  if (failures >= failuresUntilAlert) {
    return failed(title, detail, { ...rest, severity: 'attention' }, new Date(since));
  }
  const time = formatTime(new Date(since));
  const what = {
    en: `${title.en} failed ${failures} of ${failuresUntilAlert} checks since ${time}: ${detail.en}`,
    zh: `${title.zh} 自 ${time} 起检查失败 ${failures} 次（${failuresUntilAlert} 次后告警）：${detail.zh}`,
  };
  return { ...rest, severity: 'note', what };
}

/** Says that all destinations can be reached. */
export function describeWorking({ at }: Pick<RouteState, 'at'>): string {
  const time = formatTime(new Date(at));
  const text = { en: `working, checked ${time}`, zh: `正常，检查于 ${time}` };
  return labelled('route', inLanguage(text));
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
    return [{ ...warning, text: lineOf(routeCondition({ subject, ...known }), language) }];
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
