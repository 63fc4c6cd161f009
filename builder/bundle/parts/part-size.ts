import { maxParts } from '#contract/bundle/part-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';

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
