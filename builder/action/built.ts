import { createHash, createPublicKey } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { manifestName } from '#contract/bundle/head.ts';

/** A bundle in the output of `landfall build --json`. */
export interface BuiltBundle {
  readonly path: string;
  /** SHA-256 of release.json, 64 hex digits. */
  readonly manifestSha256: string;
}

/** The files of a bundle. */
export interface BundleFiles extends BuiltBundle {
  readonly name: string;
  /** The bundle, or its parts in order. */
  readonly tars: readonly string[];
  /** Total size of `tars` in bytes. */
  readonly size: number;
  readonly manifest: string;
  /** All files of the bundle, and the public key. */
  readonly all: readonly string[];
}

const publicKeyName = 'release.pub';

/** Lists the files that the builder wrote for a bundle: one tar or its parts, and those beside it. */
export async function filesOf(built: BuiltBundle): Promise<BundleFiles> {
  const folder = dirname(built.path);
  const name = basename(built.path).replace(/\.tar(?:\.\d+)?$/, '');
  const names = (await readdir(folder)).filter((file) => file.startsWith(`${name}.`)).sort();
  const isTar = (file: string) => /^\.tar(?:\.\d+)?$/.test(file.slice(name.length));
  const tars = names.filter(isTar).map((file) => join(folder, file));
  const sizes = await Promise.all(tars.map(async (file) => (await stat(file)).size));
  return {
    ...built,
    name,
    tars,
    size: sizes.reduce((sum, size) => sum + size, 0),
    manifest: join(folder, `${name}.${manifestName}`),
    all: [...names, publicKeyName].map((file) => join(folder, file)),
  };
}

/** Returns the ID of the key that signed the bundles of a folder: SHA-256 of its DER, 64 hex digits. */
export async function keyIdOf(folder: string): Promise<string> {
  const key = createPublicKey(await readFile(join(folder, publicKeyName)));
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}
