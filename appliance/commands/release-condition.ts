import type { Text } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { transactionCondition } from '../operations/transactions/history.ts';
import { aboutUpdates, updateConditions } from '../operations/update/conditions.ts';
import type { UpdateState } from '../operations/update/last-check.ts';
import type { Condition } from '../server/conditions/condition.ts';
import type { updateInProgress } from '../server/records/transaction.ts';

/** What is known of newer releases. */
export interface ReleaseFacts {
  /** The last check for updates. */
  readonly update?: UpdateState | undefined;
  /** Present if this server went back from the offered release. */
  readonly givenUp?: object | undefined;
  /** What is being applied. */
  readonly updating?: Awaited<ReturnType<typeof updateInProgress>>;
}

/** Returns what an administrator must know about the release, the most urgent. */
export function releaseCondition({
  update,
  givenUp,
  updating,
}: ReleaseFacts): Condition | undefined {
  if (updating) return transactionCondition(updating);
  if (!update) return undefined;
  const { offer, channel, at } = update;
  if (givenUp && offer?.kind === 'update') {
    const { version } = offer;
    return aboutUpdates(`rolled back ${version}`, {
      en: `release ${version} was rolled back on this server`,
      zh: `版本 ${version} 在这台服务器上安装后已回滚`,
    });
  }
  const [first] = updateConditions(update);
  if (first || channel) return first;
  const time = formatTime(new Date(at));
  return aboutUpdates('channel', {
    en: `no channel could be read, checked ${time}`,
    zh: `无法读取任何频道，检查于 ${time}`,
  });
}

/** Says that there is nothing to know. */
export function checkedOn({ at }: UpdateState): Text {
  const time = formatTime(new Date(at));
  return { en: `none newer, checked ${time}`, zh: `没有新版本，检查于 ${time}` };
}
