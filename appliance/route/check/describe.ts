import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Checked } from './check-route.ts';
import { failuresUntilAlert } from './next-state.ts';
import type { RouteState } from './state.ts';
import { causeOf, nameOf } from './words.ts';

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
  if (troubled.length === 0) {
    const time = formatTime(new Date(at));
    return [
      inLanguage({ en: `route: working, checked ${time}`, zh: `线路：正常，检查于 ${time}` }),
    ];
  }
  return troubled.map(([subject, known]) => {
    const { state, failures, since } = known;
    const name = nameOf({ subject, ...known });
    const [time, cause] = [formatTime(new Date(since)), causeOf(known)];
    return inLanguage(
      state === 'failed'
        ? {
            en: `route: ${name} failed since ${time}: ${cause}`,
            zh: `线路：${name} 自 ${time} 起失败：${cause}`,
          }
        : {
            en: `route: ${name} failed ${failures} of ${failuresUntilAlert} checks since ${time}: ${cause}`,
            zh: `线路：${name} 自 ${time} 起检查失败 ${failures} 次（${failuresUntilAlert} 次后告警）：${cause}`,
          },
    );
  });
}
