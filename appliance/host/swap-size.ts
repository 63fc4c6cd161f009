const MiB = 1024 ** 2;
const GiB = 1024 * MiB;

/** Less helps nobody. */
const least = 512 * MiB;
const most = 4 * GiB;

/**
 * How large a swap file should be: as large as memory, at most 4 GiB, since a model that swaps is
 * of no use; what swap saves is the rest of the server from the one moment that needs more.
 * @param memory bytes
 * @param spare bytes that the disk has to spare
 * @returns bytes; 0 where there is no room for a useful one
 */
export function swapSize(memory: number, spare: number): number {
  const wanted = Math.min(Math.max(memory, least), most, spare);
  const rounded = Math.floor(wanted / (256 * MiB)) * 256 * MiB;
  return rounded < least ? 0 : rounded;
}
