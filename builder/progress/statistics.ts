/** What a run did, counted where it happens and printed as its last line. Bytes throughout. */
export interface Statistics {
  /** Received from registries and web servers. */
  fetched: number;
  /** Found in the store instead of fetched. */
  fromCache: number;
  /** Passed through SHA-256. */
  hashed: number;
  /** Written to disk, store and bundle together. */
  written: number;
}

export function newStatistics(): Statistics {
  return { fetched: 0, fromCache: 0, hashed: 0, written: 0 };
}
