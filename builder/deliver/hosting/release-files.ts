import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { withoutPart } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { fileError } from '#files/file-error.ts';
import { isReleaseFile } from './file-meanings.ts';

/** A file of a release on this machine. */
export interface ReleaseFile {
  readonly name: string;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/**
 * Returns the files of releases, sorted by name: all of a folder, or those of one bundle with its parts,
 * its manifest, signatures, SBOM and public key. Skips links, folders and files of other kinds.
 * @param source an output folder of `landfall build`, or a bundle, or one of its parts
 * @throws LandfallError FILE_MISSING without a bundle, FILE_ACCESS
 */
export async function releaseFiles(source: string): Promise<ReleaseFile[]> {
  const path = resolve(source);
  try {
    const isFolder = (await lstatOfBundle(path))?.isDirectory() === true;
    const folder = isFolder ? path : dirname(path);
    const tar = withoutPart(basename(path));
    const all = await filesIn(folder);
    const found = isFolder ? all : all.filter(({ name }) => belongsTo(name, tar));
    if (found.some(({ name }) => isBundle(name))) return found;
  } catch (error) {
    throw fileError(error, source);
  }
  throw new LandfallError('FILE_MISSING', `${source} has no bundle`, {
    hint: 'Use the output folder of `landfall build`, or a bundle in it.',
  });
}

/** Returns the files of releases and channels in a folder, sorted by name. */
export async function filesIn(folder: string): Promise<ReleaseFile[]> {
  const names = (await readdir(folder)).filter(isReleaseFile).sort();
  const files = await Promise.all(names.map((name) => fileAt(join(folder, name))));
  return files.filter((file) => file !== undefined);
}

/** Returns whether a name is that of a bundle or of a part. */
export function isBundle(name: string): boolean {
  return withoutPart(name).endsWith('.tar');
}

/** `….tar` names a bundle in parts too, so the file may not exist. */
async function lstatOfBundle(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (path.endsWith('.tar')) return undefined;
    throw error;
  }
}

/** `name-1.tar` and `name-1.0.tar` can be in one folder, so a prefix is not enough. */
const besideBundle = ['release.json', 'release.json.sig', 'release.sigstore.json', 'sbom.cdx.json'];

function belongsTo(name: string, tar: string): boolean {
  if (name === 'release.pub') return true;
  if (!tar.endsWith('.tar')) return false;
  const others = besideBundle.map((ending) => tar.replace(/tar$/, ending));
  return withoutPart(name) === tar || others.includes(name);
}

async function fileAt(path: string): Promise<ReleaseFile | undefined> {
  const found = await lstat(path);
  if (!found.isFile()) return undefined;
  return { name: basename(path), path, size: found.size, modified: found.mtimeMs };
}
