import { formatBytes } from '#contract/text/format-bytes.ts';
import { alignRows } from '#contract/text/table.ts';
import { architectureOf, type Platform, platforms } from '../platform.ts';
import type { Lock, unresolved } from './lock.ts';

/** What a bundle contains, by name. Default: everything of the lock. */
interface Contents {
  readonly platforms: readonly Platform[];
  readonly images?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
}

/** Known bytes, and the names whose size is not locked. */
interface Amount {
  readonly bytes: number;
  readonly unknown: readonly string[];
}

/** The sizes of a full bundle of one platform. */
interface BundleSize {
  readonly platform: Platform;
  readonly images: Amount;
  readonly files: Amount;
}

/** The sizes of full bundles. Each bundle contains the models, which are downloaded once. */
interface BundleSizes {
  readonly bundles: readonly BundleSize[];
  readonly models: Amount;
  /** Known bytes of all bundles. */
  readonly total: number;
  /** Known bytes to download, if nothing is in the cache. */
  readonly download: number;
}

/** Returns the sizes of the full bundles of a lock. */
export function bundleSizes(lock: Lock, { platforms, images, models }: Contents): BundleSizes {
  const has = (list: readonly string[] | undefined, name: string) => list?.includes(name) ?? true;
  const bundles = platforms.map((platform): BundleSize => {
    const chosen = Object.entries(lock.images).filter(([name]) => has(images, name));
    return {
      platform,
      images: amountOf(chosen.map(([name, each]) => [name, each.platforms[platform]?.size])),
      files: amountOf(
        Object.entries(lock.files).map(([name, each]) => [name, each[platform]?.size]),
      ),
    };
  });
  const chosen = Object.entries(lock.models).filter(([name]) => has(models, name));
  const ofModels = amountOf(chosen.map(([name, { size }]) => [name, size]));
  const own = bundles.reduce((sum, each) => sum + each.images.bytes + each.files.bytes, 0);
  return {
    bundles,
    models: ofModels,
    total: own + bundles.length * ofModels.bytes,
    download: own + ofModels.bytes,
  };
}

/** Returns the platforms of a lock. */
export function lockedPlatforms({ images }: Lock): Platform[] {
  const names = new Set(Object.values(images).flatMap((image) => Object.keys(image.platforms)));
  return platforms.filter((platform) => names.has(platform));
}

type Size = number | typeof unresolved | undefined;

function amountOf(sizes: ReadonlyArray<readonly [name: string, size: Size]>): Amount {
  const known = sizes.map(([, size]) => (typeof size === 'number' ? size : 0));
  return {
    bytes: known.reduce((sum, size) => sum + size, 0),
    unknown: sizes.filter(([, size]) => typeof size !== 'number').map(([name]) => name),
  };
}

/** Formats the sizes of full bundles, with the free disk of the folder that receives them. */
export function describeBundleSizes(
  { bundles, models, total, download }: BundleSizes,
  free: number | undefined,
): string[] {
  const rows = bundles.map(({ platform, images, files }) => [
    `full bundle for ${architectureOf(platform)}`,
    atLeast(images.bytes + files.bytes + models.bytes, [...images.unknown, ...models.unknown]),
    `images ${atLeast(images.bytes, images.unknown)}, models ${atLeast(models.bytes, models.unknown)}`,
  ]);
  const unknown = [
    ...new Set([...bundles.flatMap((each) => each.images.unknown), ...models.unknown]),
  ];
  const need = total + download;
  return [
    ...alignRows([
      ...rows,
      ['to download', atLeast(download, unknown), 'unless it is in the cache already'],
      ...(free === undefined
        ? []
        : [['free disk', formatBytes(free), `cache and bundles need ${atLeast(need, unknown)}`]]),
    ]),
    ...(unknown.length > 0 ? [`sizes not known yet: ${unknown.join(', ')}`] : []),
    ...(free !== undefined && need > free
      ? [
          'warning: the disk may be too small; build for one --arch, or leave models out with --without',
        ]
      : []),
  ];
}

function atLeast(bytes: number, unknown: readonly string[]): string {
  if (bytes === 0 && unknown.length > 0) return 'unknown';
  return unknown.length === 0 ? formatBytes(bytes) : `at least ${formatBytes(bytes)}`;
}
