import { modelsFolder } from '#contract/bundle/bundle-paths.ts';
import { modelSize } from '#contract/bundle/model-size.ts';
import type { Release } from '#contract/bundle/release.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import type { ImageStore } from '../host/image-store.ts';
import type { ServerSize } from '../stack/limits.ts';
import { localModels } from '../stack/local-models.ts';

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
