import {
  isGguf,
  type Lock,
  type LockedFile,
  type LockedImage,
  type LockedModel,
} from '../../inputs/lock/lock.ts';
import {
  type Comparison,
  changesBetween,
  filled,
  rowsOf,
  type Section,
  type ShownFields,
  shownDigest,
  shownFact,
  shownSize,
  type ValueChange,
} from './report.ts';
import type { LockSide, Pair } from './sides.ts';

/** Compares two lock files. */
export function reportLocks({ before, after }: Pair<LockSide>): Comparison {
  const locks = { before: before.lock, after: after.lock };
  const changes = compareLocks(locks);
  const different = Object.values(changes).some((list) => list.length > 0);
  return {
    different,
    report: {
      title: `Lock file of ${days(locks)}`,
      summary: different ? [] : ['No differences.'],
      sections: filled(lockSections(changes)),
      notes: [],
    },
    json: {
      type: 'locks',
      different,
      before: { type: before.type, name: before.name },
      after: { type: after.type, name: after.name },
      ...changes,
    },
  };
}

/** Returns `2026-11-22 → 2026-11-29`. */
function days({ before, after }: Pair<Lock>): string {
  return [...new Set([before, after].map(({ created }) => created.slice(0, 10)))].join(' → ');
}

/** The differences between two lock files, each list sorted by name. */
interface LockChanges {
  readonly facts: readonly ValueChange<string>[];
  readonly components: readonly ValueChange<LockedImage>[];
  /** Node and the Compose plugin, by `<name> <platform>`. */
  readonly runtime: readonly ValueChange<LockedFile>[];
  readonly models: readonly ValueChange<LockedModel>[];
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

/** Returns the differences between two lock files as tables. */
function lockSections({ facts, components, runtime, models }: LockChanges): Section[] {
  return [
    { title: 'lock file', rows: rowsOf(facts, (value) => ({ '': shownFact(value) })) },
    { title: 'components', rows: rowsOf(components, imageFields) },
    { title: 'runtime', rows: rowsOf(runtime, fileFields) },
    { title: 'models', rows: rowsOf(models, modelFields) },
  ];
}

function imageFields({ image, index, platforms }: LockedImage): ShownFields {
  const byPlatform = Object.entries(platforms).flatMap(([platform, { manifest, config, size }]) => {
    const arch = platform.replace('linux/', '');
    return [
      [`manifest ${arch}`, { ...shownDigest(manifest), detail: true }],
      [`config ${arch}`, { ...shownDigest(config), detail: true }],
      [`size ${arch}`, shownSize(size)],
    ] as const;
  });
  return { image: { short: image }, index: shownDigest(index), ...Object.fromEntries(byPlatform) };
}

function fileFields({ urls, sha256, size }: LockedFile): ShownFields {
  return {
    source: { short: urls.join(' ') },
    'SHA-256': shownDigest(sha256),
    size: shownSize(size),
  };
}

function modelFields(model: LockedModel): ShownFields {
  return isGguf(model)
    ? {
        GGUF: { short: model.gguf },
        'SHA-256': shownDigest(model.sha256),
        size: shownSize(model.size),
      }
    : { manifest: shownDigest(model.manifest), size: shownSize(model.size) };
}
