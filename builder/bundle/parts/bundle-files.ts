import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { partName, withoutPart } from '#contract/bundle/part-name.ts';
import { LandfallError } from '#contract/errors.ts';

/** Suffix of files that are being written. */
export const partialSuffix = '.partial';

/**
 * Returns the paths of the files that exist for a bundle, sorted: the whole file, parts, and those
 * that are being written.
 * @param tar path of the whole file
 */
export async function filesOfBundle(tar: string): Promise<string[]> {
  const names = await readdir(dirname(tar));
  const base = basename(tar);
  const suffix = /^(?:\.\d{3})?(?:\.partial)?$/;
  return names
    .filter((name) => name.startsWith(base) && suffix.test(name.slice(base.length)))
    .sort()
    .map((name) => join(dirname(tar), name));
}

/**
 * Returns the paths of a bundle in order: a single file, or its parts. `….tar` names the parts too if
 * there is no such file, and so does the path of any part.
 * @throws LandfallError FILE_MISSING naming the first missing part
 */
export async function pathsToRead(path: string): Promise<string[]> {
  const whole = resolve(path);
  const tar = withoutPart(whole);
  // The error of a missing folder is that of the file.
  const present = tar.endsWith('.tar') ? await filesOfBundle(tar).catch(() => []) : [];
  const parts = present.filter((each) => each !== tar && !each.endsWith(partialSuffix));
  if (parts.length === 0 || (whole === tar && present.includes(tar))) return [path];
  const expected = parts.map((_, index) => partName(tar, index));
  const missing = expected.find((each) => !parts.includes(each));
  if (missing === undefined) return expected;
  throw new LandfallError('FILE_MISSING', `${missing} does not exist`, {
    hint: 'Download all parts of the bundle into one folder.',
  });
}
