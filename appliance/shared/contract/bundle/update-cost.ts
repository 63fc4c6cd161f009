import semver from 'semver';
import { carriesModel } from './model-files.ts';
import type { Release, ReleaseImage } from './release.ts';

/** Why a server does not update directly from one release to another. */
type UpdateObstacle = 'product' | 'arch' | 'older' | 'updates-from';

/**
 * What an update of a server transfers. Assumptions: the server still has every file of the release
 * that it runs and identifies files by SHA-256. Layers that Docker has are not subtracted.
 */
export interface UpdateCost {
  /** Null if a direct update is possible. */
  readonly obstacle: UpdateObstacle | null;
  /** Files of the bundle, and downloads of a thin one, that the other release does not have. */
  readonly moved: Cost;
  /** Files of the bundle, and downloads, that are already on the server. */
  readonly kept: Cost;
  /** Changed images that the server pulls from registries, at most: a site can leave some out. */
  readonly images: Cost;
  /** Changed models that the server pulls, at most: it needs only those that fit its memory. */
  readonly models: Cost;
}

/** Returns what an update from one release to another transfers. The head is not included. */
export function updateCost({
  before,
  after,
}: {
  readonly before: Release;
  readonly after: Release;
}): UpdateCost {
  const had = contentsOf(before);
  const contents = [...contentsOf(after)];
  const images = after.images.filter(
    (image) => !carriesImage(after, image) && !before.images.some((old) => isSameImage(old, image)),
  );
  const models = after.models.filter(
    (model) =>
      !carriesModel(after, model) &&
      !before.models.some(
        ({ name, manifest }) => name === model.name && manifest === model.manifest,
      ),
  );
  return {
    obstacle: obstacleTo(before, after),
    moved: costOf(contents.filter(([sha256]) => !had.has(sha256)).map(([, size]) => size)),
    kept: costOf(contents.filter(([sha256]) => had.has(sha256)).map(([, size]) => size)),
    images: costOf(images.map(({ size }) => size)),
    models: costOf(models.map(({ size }) => size)),
  };
}

/** Returns the sizes of all distinct contents by SHA-256. */
function contentsOf({ files, downloads }: Release): Map<string, number | null> {
  return new Map([...downloads, ...files].map(({ sha256, size }) => [sha256, size]));
}

function carriesImage({ files }: Release, { manifest }: ReleaseImage): boolean {
  return manifest !== null && files.some(({ sha256 }) => manifest === `sha256:${sha256}`);
}

/** Returns whether two releases have the same image for their architecture. */
export function isSameImage(one: ReleaseImage, other: ReleaseImage): boolean {
  return one.manifest === null || other.manifest === null
    ? one.index === other.index
    : one.manifest === other.manifest;
}

/** Applies the rules of `checkRelease` for an installed release. */
function obstacleTo(before: Release, after: Release): UpdateObstacle | null {
  if (before.product !== after.product) return 'product';
  if (before.arch !== after.arch) return 'arch';
  if (semver.lt(after.version, before.version)) return 'older';
  const from = after.updatesFrom;
  return from !== null && semver.lt(before.version, from) ? 'updates-from' : null;
}

/** A number of items to download, with their size. */
export interface Cost {
  readonly items: number;
  /** Bytes of the items whose size is known. */
  readonly bytes: number;
  /** Number of items whose size is unknown. */
  readonly unsized: number;
}

/** Adds up sizes in bytes; null: unknown. */
export function costOf(sizes: readonly (number | null)[]): Cost {
  return {
    items: sizes.length,
    bytes: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
    unsized: sizes.filter((size) => size === null).length,
  };
}
