import type { Lock, LockedFile, LockedImage } from '../../lock/lock.ts';
import type { LockedModel } from '../../lock/locked-model.ts';
import { type Change, changesBetween } from '../change.ts';
import type { Pair } from '../sides/side.ts';

/** The differences between two lock files, each list sorted by name. */
export interface LockChanges {
  readonly facts: readonly Change<string>[];
  readonly components: readonly Change<LockedImage>[];
  /** Node and the Compose plugin, by `<name> <platform>`. */
  readonly runtime: readonly Change<LockedFile>[];
  readonly models: readonly Change<LockedModel>[];
}

/** Compares two lock files. */
export function compareLocks({ before, after }: Pair<Lock>): LockChanges {
  const compare = <T>(mapOf: (lock: Lock) => ReadonlyMap<string, T>) =>
    changesBetween(mapOf(before), mapOf(after));
  return {
    facts: compare(({ created, inputs }) => new Map(Object.entries({ created, inputs }))),
    components: compare(({ images }) => new Map(Object.entries(images))),
    runtime: compare(filesOf),
    models: compare(({ models }) => new Map(Object.entries(models))),
  };
}

function filesOf({ files }: Lock): Map<string, LockedFile> {
  return new Map(
    Object.entries(files).flatMap(([name, byPlatform]) =>
      Object.entries(byPlatform).map(([platform, file]) => [`${name} ${platform}`, file] as const),
    ),
  );
}
