import { isBundle, type ReleaseFile } from '../release-files.ts';

/**
 * Sorts files for an upload: bundles first, manifests last, so that no reader finds a manifest before
 * its bundle. The first part of a bundle follows its other parts: without it, servers request no part.
 */
export function uploadOrder<File extends ReleaseFile>(files: readonly File[]): File[] {
  return files.toSorted((one, other) => rank(one) - rank(other));
}

function rank({ name }: ReleaseFile): number {
  if (isBundle(name)) return name.endsWith('.000') ? 1 : 0;
  return name.endsWith('.release.json') ? 3 : 2;
}
