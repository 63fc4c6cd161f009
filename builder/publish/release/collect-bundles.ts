import { copyFile, link, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestName, signatureName, sigstoreName } from '#contract/bundle/head.ts';
import { type Architecture, releaseName } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { orFileError } from '#files/file-error.ts';
import type { Appliance } from '../../inputs/config/appliance.ts';

/**
 * Copies bundles that other jobs built, with the files next to them. Uses hard links if possible.
 * @returns paths of the bundles
 * @throws LandfallError FILE_MISSING with every missing file
 */
export async function collectBundles(
  from: string,
  into: string,
  { name, version }: Pick<Appliance, 'name' | 'version'>,
  archs: readonly Architecture[],
): Promise<string[]> {
  const present = await orFileError(from, readdir(from));
  const bases = archs.map((arch) => releaseName(name, version, arch));
  const bundles = bases.map((base) => bundleIn(present, base));
  const beside = [manifestName, signatureName, sigstoreName];
  const wanted = [
    'release.pub',
    ...bases.flatMap((base) => beside.map((each) => `${base}.${each}`)),
  ];
  const missing = [
    ...bases.filter((_, index) => bundles[index] === undefined).map((base) => `${base}.tar`),
    ...wanted.filter((file) => !present.includes(file)),
  ];
  if (missing.length > 0) {
    throw new LandfallError('FILE_MISSING', `${from} is not complete`, {
      hint: 'Build the missing bundles, and collect all files in this folder.',
      problems: missing.map((file) => ({ message: `${file} is missing` })),
    });
  }
  const files = present.filter(
    (file) => file === 'release.pub' || bases.some((base) => file.startsWith(`${base}.`)),
  );
  for (const file of files) {
    const [source, target] = [join(from, file), join(into, file)];
    // Another file system does not accept a link.
    await orFileError(
      target,
      link(source, target).catch(() => copyFile(source, target)),
    );
  }
  return bundles.map((file) => join(into, file ?? ''));
}

/** Returns the name of a bundle, or of its first part. */
function bundleIn(present: readonly string[], base: string): string | undefined {
  return [`${base}.tar`, `${base}.tar.000`].find((file) => present.includes(file));
}
