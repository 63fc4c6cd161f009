import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { partName, withoutPart } from '#contract/bundle/part-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { pathsToRead } from '../bundle/parts/bundle-files.ts';
import { fileError } from '../files/file-error.ts';

/**
 * Returns the paths of releases: folders are replaced by the bundles in them, and all parts of a bundle
 * by one of them.
 * @throws LandfallError FILE_MISSING for a missing file and a folder without bundles, FILE_ACCESS
 */
export async function releasePaths(paths: readonly string[]): Promise<string[]> {
  const all = (await Promise.all(paths.map(bundlesAt))).flat();
  const byBundle = new Map(all.map((path) => [withoutPart(path), path]));
  return [...byBundle.values()];
}

/** Returns the path of a file, or of a bundle that exists in parts. */
async function existing(path: string): Promise<string> {
  const [first = path] = await pathsToRead(path);
  await stat(first).catch((error: unknown) => {
    throw fileError(error, path);
  });
  return path;
}

async function bundlesAt(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return [await existing(path)];
  const names = await readdir(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  const first = partName('.tar', 0);
  const bundles = names.filter((name) => name.endsWith('.tar') || name.endsWith(first));
  if (bundles.length > 0) return bundles.sort().map((name) => join(path, name));
  throw new LandfallError('FILE_MISSING', `${path} has no bundle`, {
    hint: 'Use the output folder of `landfall build`, or name the files.',
  });
}
