import type { BackupSize } from '../../server/records/backups.ts';

const hour = 3600 * 1000;
const week = 7 * 24 * hour;
/** Runs that are closer count as one, so that the list stays short. Milliseconds. */
const minInterval = 20 * hour;
/** Growth that is worth a message: this factor, and so many bytes. A young server grows by more than half. */
const factor = 1.5;
const minBytes = 1e9;

/** Returns the sizes of the last week, with that of a new backup. At most nine. */
export function sizesAfter(before: readonly BackupSize[], added: BackupSize): BackupSize[] {
  const at = Date.parse(added.at);
  const kept = before.filter((size) => at - Date.parse(size.at) <= week && size.at < added.at);
  const last = kept.at(-1);
  return last && at - Date.parse(last.at) < minInterval ? kept : [...kept, added];
}

/**
 * Returns how much larger a backup is than the oldest one within the week before it, in bytes.
 * @returns undefined if that is not unusual
 */
export function unusualGrowth(
  sizes: readonly BackupSize[],
  newest: BackupSize,
): { readonly from: number; readonly to: number } | undefined {
  const oldest = sizes.find(({ at }) => Date.parse(newest.at) - Date.parse(at) <= week);
  if (!oldest || newest.total < oldest.total * factor) return undefined;
  if (newest.total - oldest.total < minBytes) return undefined;
  return { from: oldest.total, to: newest.total };
}
