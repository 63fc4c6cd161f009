import { basename } from 'node:path';
import { partName, withoutPart } from '#contract/bundle/part-name.ts';
import { refusal } from '#contract/bundle/refusals.ts';

interface SizedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Returns the size of the parts of a bundle. All parts have the size of the first one, except the last,
 * which is smaller.
 * @throws LandfallError BUNDLE_TRUNCATED for another size
 */
export function checkSizes(parts: readonly SizedFile[]): number {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) throw new Error('a bundle has at least one part');
  const other = parts.slice(0, -1).find(({ size }) => size !== first.size);
  if (other) throw wrongSize(other, first.size);
  if (last.size === 0 || last.size > first.size) throw wrongSize(last, first.size);
  if (last.size < first.size) return first.size;
  const next = partName(basename(withoutPart(last.path)), parts.length);
  throw refusal(
    'not-truncated',
    `the bundle is truncated: its last part has ${last.size} bytes like the others, so ${next} is missing`,
  );
}

function wrongSize({ path, size }: SizedFile, expected: number): Error {
  const message = `${basename(path)} has ${size} bytes instead of ${expected}, the size of the first part`;
  return refusal('not-truncated', message);
}
