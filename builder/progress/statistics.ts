/** Counters of a run, printed as its last line. All values in bytes. */
export interface Statistics {
  /** Received from registries and web servers. */
  fetched: number;
  /** Found in the store instead of downloaded. */
  fromCache: number;
  /** Hashed with SHA-256. */
  hashed: number;
  /** Written to disk: store and bundle. */
  written: number;
}

export function newStatistics(): Statistics {
  return { fetched: 0, fromCache: 0, hashed: 0, written: 0 };
}
