import type { Lock, LockedFile, LockedImage } from '../lock/lock.ts';
import { unresolved } from '../lock/lock-values.ts';
import { isGguf, type LockedModel } from '../lock/locked-model.ts';
import { type Platform, platforms } from '../platform.ts';
import {
  type Change,
  type Comparison,
  changesBetween,
  filled,
  rowsOf,
  type Section,
  type ShownFields,
  shownDigest,
  shownFact,
  shownSize,
} from './report.ts';
import type { LockSide, Pair } from './sides.ts';
import { amount, type Cost, costOf } from './update-cost.ts';

/** Compares two lock files. */
export function reportLocks({ before, after }: Pair<LockSide>): Comparison {
  const locks = { before: before.lock, after: after.lock };
  const changes = compareLocks(locks);
  const cost = lockCost(locks);
  const different = Object.values(changes).some((list) => list.length > 0);
  return {
    different,
    report: {
      title: `Lock file of ${days(locks)}`,
      summary: different ? lockSummary(cost) : ['No differences.'],
      sections: filled(lockSections(changes)),
      notes: [],
    },
    json: {
      type: 'locks',
      different,
      before: { type: before.type, name: before.name },
      after: { type: after.type, name: after.name },
      cost,
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

/** The download sizes of what a lock file changes. */
interface LockCost {
  /** By platform: `linux/amd64`. */
  readonly images: Readonly<Record<string, Cost>>;
  /** Node and the Compose plugin, by platform. */
  readonly files: Readonly<Record<string, Cost>>;
  readonly models: Cost;
}

type Size = number | null;

/** Returns the download sizes of the images, files and models that a lock file changes. */
export function lockCost(locks: Pair<Lock>): LockCost {
  const byPlatform = (changed: (locks: Pair<Lock>, platform: Platform) => Size[]) =>
    Object.fromEntries(
      platforms.map((platform) => [platform, costOf(changed(locks, platform))] as const),
    );
  return {
    images: byPlatform(changedImages),
    files: byPlatform(changedFiles),
    models: costOf(changedModels(locks)),
  };
}

function changedImages({ before, after }: Pair<Lock>, platform: Platform): Size[] {
  return Object.entries(after.images).flatMap(([name, { index, platforms: locked }]) => {
    const [old, entry] = [before.images[name], locked[platform]];
    if (!entry) return [];
    const isSame = old?.index === index && old.platforms[platform]?.manifest === entry.manifest;
    return isSame ? [] : [known(entry.size)];
  });
}

function changedFiles({ before, after }: Pair<Lock>, platform: Platform): Size[] {
  return Object.entries(after.files).flatMap(([name, { [platform]: file }]) => {
    const old = before.files[name]?.[platform];
    return !file || old?.sha256 === file.sha256 ? [] : [known(file.size)];
  });
}

function changedModels({ before, after }: Pair<Lock>): Size[] {
  return Object.entries(after.models)
    .filter(([name, model]) => contentOf(before.models[name]) !== contentOf(model))
    .map(([, { size }]) => known(size));
}

function contentOf(model: LockedModel | undefined): string | undefined {
  return model && (isGguf(model) ? model.sha256 : model.manifest);
}

function known(size: number | typeof unresolved): Size {
  return size === unresolved ? null : size;
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

/** Returns sentences about the size of what changed. */
function lockSummary({ images, files, models }: LockCost): string[] {
  const byPlatform = Object.keys(images).flatMap((platform) => {
    const parts = [
      amountOf(images[platform], 'changed image'),
      amountOf(files[platform], 'changed file'),
    ].flat();
    return parts.length > 0 ? [`For ${platform}: ${parts.join('; ')}.`] : [];
  });
  const changed = amountOf(models, 'changed model');
  return [...byPlatform, ...changed.map((text) => `Models: ${text}.`)];
}

function amountOf(cost: Cost | undefined, what: string): string[] {
  return cost && cost.items > 0 ? [amount(cost, what)] : [];
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
