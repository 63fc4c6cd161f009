import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { maxParts, partName, withoutPart } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/amount.ts';

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

const units = { '': 1, kB: 1000, MB: 1000 ** 2, GB: 1000 ** 3, TB: 1000 ** 4 } as const;

/**
 * Parses an option with a size such as `1.9GB` or `1900000000`, in decimal units.
 * @param option its name, for the error
 * @returns bytes; undefined without a value
 * @throws LandfallError USAGE
 */
export function partSizeFlag(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit = ''] = /^(\d{1,15}(?:\.\d{1,12})?) ?(|kB|MB|GB|TB)$/.exec(text) ?? [];
  // 1.1 * 1000 is not a whole number of bytes in binary.
  const bytes = Number((Number(amount) * units[unit as keyof typeof units]).toFixed(3));
  if (bytes > 0 && Number.isSafeInteger(bytes)) return bytes;
  throw new LandfallError('USAGE', `${option} ${text} is not a size`, {
    hint: 'Use bytes, or a number with kB, MB or GB, such as 1.9GB.',
  });
}

/**
 * Returns the size of the parts of a bundle. Undefined: the bundle is one file. The last part is always
 * smaller than the others, so that a reader knows it without a list of parts.
 * @param total bytes of the bundle
 * @param max maximum size of a file in bytes, if there is one
 * @throws LandfallError USAGE when there would be too many parts
 */
export function partSizeOf(total: number, max: number | undefined): number | undefined {
  if (max === undefined || total <= max) return undefined;
  const count = Math.ceil(total / max);
  if (count >= maxParts) {
    throw new LandfallError(
      'USAGE',
      `--max-part-size ${formatBytes(max)}: the bundle needs ${count} parts`,
      { hint: `Use at least ${formatBytes(Math.ceil(total / 100))}.` },
    );
  }
  let size = max;
  while (total % size === 0) size -= 1;
  return size;
}
