import { compact, memberNames, nameOf } from '../model/draft.ts';
import { type Group, groupSchema } from '../model/rule.ts';
import { wholeNumber } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';

const groupTypes = ['select', 'url-test'] as const;

/** The test of proxies if a group sets none. */
export const usualTest = {
  url: 'https://www.gstatic.com/generate_204',
  interval: 300,
  tolerance: 50,
} as const;

/** Keys that change how a group is shown or tested, but not where traffic goes. */
const display = ['icon', 'hidden', 'lazy', 'timeout', 'max-failed-times', 'expected-status'];
const tests = ['url', 'interval', 'tolerance'];
const unsupported = [
  ...['use', 'filter', 'exclude-filter', 'exclude-type', 'include-all', 'include-all-proxies'],
  ...['include-all-providers', 'disable-udp', 'interface-name', 'routing-mark', 'strategy'],
];

/** Reads one entry of `proxy-groups`; undefined after a reported problem. */
export function clashGroup(fields: Fields): Group | undefined {
  return fields.report.entry('group', () => {
    const type = fields.choice('type', groupTypes);
    if (type === undefined) {
      if (!fields.has('type')) fields.problem('type', 'is missing');
      return undefined;
    }
    const common = {
      name: nameOf(fields, 'name'),
      type,
      proxies: memberNames(fields.texts('proxies')),
    };
    for (const key of unsupported) fields.ignore(key);
    fields.leaveOut(display);
    if (type === 'select') fields.leaveOut(tests, 'has no effect on a group of type select');
    const draft = type === 'select' ? common : { ...common, ...test(fields) };
    fields.end();
    return finishGroup(fields, draft);
  });
}

function test(fields: Fields) {
  return {
    url: fields.text('url') ?? usualTest.url,
    interval: fields.number('interval', wholeNumber(1, 86_400)) ?? usualTest.interval,
    // sing-box treats 0 as its default.
    tolerance: Math.max(
      1,
      fields.number('tolerance', wholeNumber(0, 60_000)) ?? usualTest.tolerance,
    ),
  };
}

/** Validates a group, and reports problems at its line. */
export function finishGroup(
  fields: Fields,
  draft: Readonly<Record<string, unknown>>,
): Group | undefined {
  const { success, data, error } = groupSchema.safeParse(compact(draft));
  if (success) return data;
  for (const { path, message } of error.issues) {
    const key = String(path[0] ?? '');
    const isMissing = draft[key] === undefined;
    fields.report.problem(
      fields.has(key) ? fields.positionOf(key) : fields.position,
      `${key}: ${isMissing ? 'is missing' : message}`,
    );
  }
  return undefined;
}
