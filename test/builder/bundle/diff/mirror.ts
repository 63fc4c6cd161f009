import type { ValueChange } from '../../../../builder/bundle/diff/report.ts';

type Lists = Readonly<Record<string, readonly ValueChange<unknown>[] | null>>;

/** Swaps the sides of all changes. */
export function mirrored(lists: object): Lists {
  return Object.fromEntries(
    Object.entries(lists as Lists).map(([name, changes]) => [
      name,
      changes?.map((change) => ({
        name: change.name,
        before: change.after,
        after: change.before,
      })) ?? null,
    ]),
  );
}

/** Lists all changes. */
export function allChanges(lists: object): ValueChange<unknown>[] {
  return Object.values(lists as Lists).flatMap((changes) => changes ?? []);
}
