import { modelsFolder } from '../bundle/bundle-paths.ts';
import { modelSize } from '../bundle/model-files.ts';
import type { Release } from '../bundle/release.ts';
import { chosenImages } from '../site/chosen-images.ts';
import type { Site } from '../site/site.ts';
import type { ServerSize } from './limits.ts';
import { localModels } from './local-models.ts';

/** For logs, system updates and files of users. Bytes. */
const reserve = 2e9;
/** System packages that the stages install, mostly Docker. Bytes. */
const packages = 0.7e9;
/** Space for packages, logs and system updates, without images and models. Bytes. */
export const systemSpace = 1.5e9;

/**
 * Returns the peak of additional bytes. Blobs are removed before models are fetched, so their space
 * is available to models but not to images.
 */
export function spaceNeeded(
  needs: DiskNeeds,
  { dropBlobs, keepPrevious }: { readonly dropBlobs: boolean; readonly keepPrevious: boolean },
): number {
  const loaded = needs.images + needs.downloads + packages;
  const models = sum(Object.values(needs.models)) - needs.carried;
  const next = keepPrevious ? needs.images + (dropBlobs ? 0 : needs.blobs) : 0;
  const settled = loaded + models + next - (dropBlobs ? needs.blobs : 0);
  return Math.max(loaded, settled) + reserve;
}

/**
 * How Docker stores images. The classic store keeps unpacked layers in Docker's folder; the containerd
 * store keeps packed and unpacked layers in containerd's folder.
 */
export type ImageStore = 'classic' | 'containerd';

/** The disk space that a release needs on a server. Bytes. */
export interface DiskNeeds {
  /** Images, as Docker stores them. */
  readonly images: number;
  /** The share of enabled optional components in `images`, by component. */
  readonly optional: Readonly<Record<string, number>>;
  /** Models by name. */
  readonly models: Readonly<Record<string, number>>;
  /**
   * Model files in the bundle; on one device Ollama shares them through hard links. At most the size
   * of all models.
   */
  readonly carried: number;
  /** Files that a thin bundle does not contain. */
  readonly downloads: number;
  /** Image blobs of the bundle, which can be removed after Docker has imported them. */
  readonly blobs: number;
}

/**
 * The ratio of stored to downloaded size: layers are compressed in transit. The containerd store also
 * keeps the compressed layers.
 */
const storedFactor: Readonly<Record<ImageStore, number>> = { classic: 2.6, containerd: 3.6 };
const blobPath = /^blobs\//;
const modelPath = new RegExp(`^${modelsFolder}/`);

/** Returns the disk needs of a release for this site; images of unknown size count as zero. */
export function diskNeeds(
  release: Release,
  site: Site,
  server: ServerSize,
  store: ImageStore,
): DiskNeeds {
  const images = chosenImages(release, site).map((image) => ({
    ...image,
    stored: (image.size ?? 0) * storedFactor[store],
  }));
  const { models: chosen } = localModels(release, site, server);
  const models = Object.fromEntries(chosen.map((model) => [model.name, modelSize(model)]));
  const bytesOf = (pattern: RegExp) =>
    sum(release.files.filter(({ path }) => pattern.test(path)).map(({ size }) => size));
  return {
    images: sum(images.map(({ stored }) => stored)),
    optional: Object.fromEntries(
      images.filter(({ optional }) => optional).map(({ component, stored }) => [component, stored]),
    ),
    models,
    carried: Math.min(bytesOf(modelPath), sum(Object.values(models))),
    downloads: sum(release.downloads.map(({ size }) => size ?? 0)),
    blobs: bytesOf(blobPath),
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const MiB = 1024 ** 2;
const GiB = 1024 * MiB;

/** Smaller swap files have no benefit. */
const minSize = 512 * MiB;
const maxSize = 4 * GiB;

/**
 * Returns the size of the swap file: the size of memory, at most 4 GiB. Swap absorbs short peaks; a
 * model that swaps is too slow to use.
 * @param memory bytes
 * @param spare bytes available on the disk
 * @returns bytes; 0 if the space is too small for a useful file
 */
export function swapSize(memory: number, spare: number): number {
  const bytes = Math.min(Math.max(memory, minSize), maxSize, spare);
  const rounded = Math.floor(bytes / (256 * MiB)) * 256 * MiB;
  return rounded < minSize ? 0 : rounded;
}

/** Images of a release whose lock has no sizes, as Docker stores them (docs/faq.md). Bytes. */
const unknownImages = 12e9;

/** Returns the disk that a new server needs for a release, with its system, in bytes. */
export function diskFor(release: Release, site: Site, server: ServerSize): number {
  const needs = diskNeeds(release, site, server, 'classic');
  const isUnknown = chosenImages(release, site).some(({ size }) => size === null);
  const images = isUnknown ? Math.max(needs.images, unknownImages) : needs.images;
  const unpacked = sum(release.files.map(({ size }) => size));
  const once = spaceNeeded({ ...needs, images }, { dropBlobs: false, keepPrevious: false });
  return systemSpace + unpacked + once + swapSize(server.memory, Number.POSITIVE_INFINITY);
}
