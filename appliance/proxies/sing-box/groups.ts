import { finishGroup, usualTest } from '../clash/groups.ts';
import { memberNames, nameOf } from '../model/draft.ts';
import type { Group } from '../model/rule.ts';
import { wholeNumber } from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { seconds } from './quic.ts';

/** Reads a selector or urltest of `outbounds`. `targetOf` maps tags to names. */
export function singBoxGroup(fields: Fields, targetOf: (tag: string) => string): Group | undefined {
  return fields.report.entry('group', () => {
    const isTest = fields.text('type') === 'urltest';
    const common = {
      name: nameOf(fields, 'tag'),
      type: isTest ? 'url-test' : 'select',
      proxies: memberNames(fields.texts('outbounds')?.map(targetOf)),
    };
    fields.leaveOut(['interrupt_exist_connections', 'idle_timeout']);
    const test = isTest
      ? {
          url: fields.text('url') ?? usualTest.url,
          interval: seconds(fields, 'interval', wholeNumber(1, 86_400)) ?? 180,
          tolerance: fields.number('tolerance', wholeNumber(0, 60_000)) || usualTest.tolerance,
        }
      : {};
    if (!isTest) fields.leaveOut(['default'], 'not imported; the first entry is the default');
    fields.end();
    return finishGroup(fields, { ...common, ...test });
  });
}
