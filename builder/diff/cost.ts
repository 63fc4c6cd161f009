/** A number of items to download, with their size. */
export interface Cost {
  readonly items: number;
  /** Bytes of the items whose size is known. */
  readonly bytes: number;
  /** Number of items whose size is unknown. */
  readonly unsized: number;
}

/** Adds up sizes in bytes; null: unknown. */
export function costOf(sizes: readonly (number | null)[]): Cost {
  return {
    items: sizes.length,
    bytes: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
    unsized: sizes.filter((size) => size === null).length,
  };
}
