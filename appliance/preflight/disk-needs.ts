import { modelsFolder } from '#contract/bundle/bundle-paths.ts';
import { modelSize } from '#contract/bundle/model-size.ts';
import type { Release } from '#contract/bundle/release.ts';
import { chosenImages } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import type { ImageStore } from '../host/image-store.ts';
import type { ServerSize } from '../stack/limits.ts';
import { localModels } from '../stack/local-models.ts';

/** What a release will take on the disk of a server. Bytes. */
export interface DiskNeeds {
  /** Images, as the engine keeps them. */
  readonly images: number;
  /** Of these, what optional components take that the site turned on. */
  readonly optional: Readonly<Record<string, number>>;
  /** Models by name. */
  readonly models: Readonly<Record<string, number>>;
  /**
   * What is here of them already: on one disk the engine shares these files with the bundle. No more
   * than all models take.
   */
  readonly carried: number;
  /** Files that a thin bundle leaves outside. */
  readonly downloads: number;
  /** What is here already, for images only, and could go once the engine has them. */
  readonly blobs: number;
}

/**
 * Layers are compressed; stored they take about this many times their download. containerd's
 * store keeps them as they came, too.
 */
const storedFactor: Readonly<Record<ImageStore, number>> = { classic: 2.6, containerd: 3.6 };
const blobPath = /^blobs\//;
const modelPath = new RegExp(`^${modelsFolder}/`);

/** Adds up what a release needs for this site on this server: exact where it knows its sizes. */
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
