import { modelsFolder } from '#contract/bundle-paths.ts';
import { chosenImages } from '#contract/chosen-images.ts';
import type { Release } from '#contract/release.ts';
import type { Site } from '#contract/site.ts';
import { modelSize } from './model-size.ts';

/** What a release will take on the disk of a server. Bytes. */
export interface DiskNeeds {
  /** Images, unpacked in the engine. */
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
  /** How many images have a size that nobody knows. */
  readonly unknown: number;
}

/** Layers are compressed; unpacked they take about this many times their download. */
const unpackedFactor = 2.6;
const blobPath = /^blobs\//;
const modelPath = new RegExp(`^${modelsFolder}/`);

/** Adds up what a release needs for this site: exact where it knows its sizes. */
export function diskNeeds(release: Release, site: Site): DiskNeeds {
  const images = chosenImages(release, site).map((image) => ({
    ...image,
    unpacked: (image.size ?? 0) * unpackedFactor,
  }));
  const models = Object.fromEntries(release.models.map((model) => [model.name, modelSize(model)]));
  const bytesOf = (pattern: RegExp) =>
    sum(release.files.filter(({ path }) => pattern.test(path)).map(({ size }) => size));
  return {
    images: sum(images.map(({ unpacked }) => unpacked)),
    optional: Object.fromEntries(
      images
        .filter(({ optional }) => optional)
        .map(({ component, unpacked }) => [component, unpacked]),
    ),
    models,
    carried: Math.min(bytesOf(modelPath), sum(Object.values(models))),
    downloads: sum(release.downloads.map(({ size }) => size ?? 0)),
    blobs: bytesOf(blobPath),
    unknown: images.filter(({ size }) => size === null).length,
  };
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
