import semver from 'semver';
import { carriesModel } from '#contract/bundle/model-files.ts';
import type { Release, ReleaseImage } from '#contract/bundle/release.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import type { Pair } from './sides.ts';

/** Why a server does not update directly from one release to another. */
type UpdateObstacle = 'product' | 'arch' | 'older' | 'updates-from';

/**
 * What an update of a server transfers. Assumptions: the server still has every file of the release
 * that it runs and identifies files by SHA-256. Layers that Docker has are not subtracted.
 */
interface UpdateCost {
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
export function updateCost({ before, after }: Pair<Release>): UpdateCost {
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

function isSameImage(one: ReleaseImage, other: ReleaseImage): boolean {
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
interface Cost {
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

/** Returns `12.3 MB in 5 files and 1 file of unknown size`. */
export function amount({ items, bytes, unsized }: Cost, what: string): string {
  const sized = items - unsized;
  const parts = [
    ...(sized > 0 ? [`${formatBytes(bytes)} in ${counted(sized, what)}`] : []),
    ...(unsized > 0 ? [`${counted(unsized, what)} of unknown size`] : []),
  ];
  return parts.length > 0 ? parts.join(' and ') : `no ${what}s`;
}

function counted(items: number, what: string): string {
  return `${items} ${what}${items === 1 ? '' : 's'}`;
}

/** Returns `landfall 1.2.0 → 1.3.0 for amd64, thin`. */
export function releaseTitle({ before, after }: Pair<Release>): string {
  const both = (field: 'product' | 'version' | 'arch' | 'kind') =>
    before[field] === after[field] ? after[field] : `${before[field]} → ${after[field]}`;
  return `${both('product')} ${both('version')} for ${both('arch')}, ${both('kind')}`;
}

/** Returns sentences about what an update transfers. */
export function updateSummary({ before, after }: Pair<Release>, cost: UpdateCost): string[] {
  const { moved, kept, images, models, obstacle } = cost;
  const obstacles = {
    product: 'No update is possible between different products.',
    arch: 'No update is possible between different architectures.',
    older: `No update is possible: ${after.version} is older than ${before.version}.`,
    'updates-from': `A direct update is not possible: ${after.version} requires ${after.updatesFrom} or later.`,
  };
  if (obstacle) return [obstacles[obstacle]];
  return [
    `An update moves ${amount(moved, 'file')}. Already on the server: ${amount(kept, 'file')}.`,
    ...(images.items > 0 ? [`The server pulls at most ${amount(images, 'changed image')}.`] : []),
    ...(models.items > 0 ? [`The server pulls at most ${amount(models, 'changed model')}.`] : []),
  ];
}
