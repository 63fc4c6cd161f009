const MiB = 1024 ** 2;
const GiB = 1024 * MiB;

/** Smaller swap files have no benefit. */
const least = 512 * MiB;
const most = 4 * GiB;

/**
 * Returns the size of the swap file: the size of memory, at most 4 GiB. Swap absorbs short peaks; a
 * model that swaps is too slow to use.
 * @param memory bytes
 * @param spare bytes available on the disk
 * @returns bytes; 0 if the space is too small for a useful file
 */
export function swapSize(memory: number, spare: number): number {
  const wanted = Math.min(Math.max(memory, least), most, spare);
  const rounded = Math.floor(wanted / (256 * MiB)) * 256 * MiB;
  return rounded < least ? 0 : rounded;
}
