import { formatBytes } from '#contract/text/amount.ts';
import { say } from '#contract/text/language.ts';
import { alignRows } from '#contract/text/table.ts';
import { architectureOf, type Platform, platforms } from '../../base/platform.ts';
import type { Lock, unresolved } from './lock.ts';

/** What a bundle contains, by name. Default: everything of the lock. */
interface Contents {
  readonly platforms: readonly Platform[];
  readonly images?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
}

/**
 * Returns the sizes of the full bundles of a lock, in bytes, as far as they are known. Each bundle
 * contains the models, which are downloaded once.
 */
export function bundleSizes(lock: Lock, { platforms, images, models }: Contents) {
  const sizesOf = <T>(
    entries: Readonly<Record<string, T>>,
    sizeOf: (entry: T) => Size,
    chosen?: readonly string[],
  ) =>
    amountOf(
      Object.entries(entries)
        .filter(([name]) => chosen?.includes(name) ?? true)
        .map(([name, entry]) => [name, sizeOf(entry)]),
    );
  const bundles = platforms.map((platform) => ({
    platform,
    images: sizesOf(lock.images, (image) => image.platforms[platform]?.size, images),
    files: sizesOf(lock.files, (file) => file[platform]?.size),
  }));
  const ofModels = sizesOf(lock.models, ({ size }) => size, models);
  const own = bundles.reduce((sum, each) => sum + each.images.bytes + each.files.bytes, 0);
  return {
    bundles,
    models: ofModels,
    /** Of all bundles. */
    total: own + bundles.length * ofModels.bytes,
    /** If nothing is in the cache. */
    download: own + ofModels.bytes,
  };
}

/** Returns the platforms of a lock. */
export function lockedPlatforms({ images }: Lock): Platform[] {
  const names = new Set(Object.values(images).flatMap((image) => Object.keys(image.platforms)));
  return platforms.filter((platform) => names.has(platform));
}

type Size = number | typeof unresolved | undefined;

/** Returns the sum of the known sizes, and the names of the others. */
function amountOf(sizes: ReadonlyArray<readonly [name: string, size: Size]>) {
  const known = sizes.map(([, size]) => (typeof size === 'number' ? size : 0));
  return {
    bytes: known.reduce((sum, size) => sum + size, 0),
    unknown: sizes.filter(([, size]) => typeof size !== 'number').map(([name]) => name),
  };
}

/** Formats the sizes of full bundles, with the free disk of the folder that receives them. */
export function describeBundleSizes(
  { bundles, models, total, download }: ReturnType<typeof bundleSizes>,
  free: number | undefined,
): string[] {
  const rows = bundles.map(({ platform, images, files }) => [
    say(`full bundle for ${architectureOf(platform)}`, `${architectureOf(platform)} 的完整发布包`),
    atLeast(images.bytes + files.bytes + models.bytes, [...images.unknown, ...models.unknown]),
    say(
      `images ${atLeast(images.bytes, images.unknown)}, models ${atLeast(models.bytes, models.unknown)}`,
      `镜像 ${atLeast(images.bytes, images.unknown)}，模型 ${atLeast(models.bytes, models.unknown)}`,
    ),
  ]);
  const unknown = [
    ...new Set([...bundles.flatMap((each) => each.images.unknown), ...models.unknown]),
  ];
  const need = total + download;
  return [
    ...alignRows([
      ...rows,
      [
        say('to download', '需要下载'),
        atLeast(download, unknown),
        say('unless it is in the cache already', '缓存中已有的除外'),
      ],
      ...(free === undefined
        ? []
        : [
            [
              say('free disk', '磁盘剩余'),
              formatBytes(free),
              say(
                `cache and bundles need ${atLeast(need, unknown)}`,
                `缓存和发布包需要 ${atLeast(need, unknown)}`,
              ),
            ],
          ]),
    ]),
    ...(unknown.length > 0
      ? [say(`sizes not known yet: ${unknown.join(', ')}`, `大小未知：${unknown.join('、')}`)]
      : []),
    ...(free !== undefined && need > free
      ? [
          say(
            'warning: the disk may be too small; build for one --arch, or leave models out with --without',
            '警告：磁盘可能不够大；可以只为一个 --arch 构建，或用 --without 去掉模型',
          ),
        ]
      : []),
  ];
}

function atLeast(bytes: number, unknown: readonly string[]): string {
  if (bytes === 0 && unknown.length > 0) return say('unknown', '未知');
  return unknown.length === 0
    ? formatBytes(bytes)
    : say(`at least ${formatBytes(bytes)}`, `至少 ${formatBytes(bytes)}`);
}
