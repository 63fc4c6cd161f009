import type { Lock } from '../../lock/lock.ts';
import { unresolved } from '../../lock/lock-values.ts';
import { isGguf, type LockedModel } from '../../lock/locked-model.ts';
import { type Platform, platforms } from '../../platform.ts';
import { type Cost, costOf } from '../cost.ts';
import type { Pair } from '../sides/side.ts';

/** The download sizes of what a lock file changes. */
export interface LockCost {
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
