import type { Entry } from './entry.ts';

/**
 * Merges sorted logs by time. Holds one line of each, so the memory does not depend on their sizes.
 * @throws what a log throws; the others are closed first
 */
export async function* mergeByTime(
  logs: ReadonlyArray<AsyncIterable<Entry>>,
): AsyncGenerator<Entry> {
  const readers = logs.map((log) => log[Symbol.asyncIterator]());
  try {
    const heads = await Promise.all(readers.map((reader) => reader.next()));
    for (;;) {
      let first = -1;
      let entry: Entry | undefined;
      for (const [index, head] of heads.entries()) {
        if (head.done || (entry && entry.time <= head.value.time)) continue;
        [first, entry] = [index, head.value];
      }
      const reader = readers[first];
      if (!entry || !reader) return;
      yield entry;
      heads[first] = await reader.next();
    }
  } finally {
    await Promise.allSettled(readers.map((reader) => reader.return?.()));
  }
}

/** Returns the last entries. Holds no more than these. */
export async function lastOf(entries: AsyncIterable<Entry>, count: number): Promise<Entry[]> {
  const ring: Entry[] = [];
  let next = 0;
  for await (const entry of entries) {
    ring[next] = entry;
    next = (next + 1) % count;
  }
  return ring.length < count ? ring : [...ring.slice(next), ...ring.slice(0, next)];
}
