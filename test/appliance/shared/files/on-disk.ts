import { open } from 'node:fs/promises';
import { vi } from 'vitest';

/**
 * Records the result of `look` at each sync to disk.
 * @param anyFile a file that exists, to find the class of file handles
 */
export async function watchSyncs(anyFile: string, look: () => string): Promise<string[]> {
  const handle = await open(anyFile, 'r');
  const handles = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const seen: string[] = [];
  const { sync } = handles;
  vi.spyOn(handles, 'sync').mockImplementation(function (this: typeof handle) {
    seen.push(look());
    return sync.call(this);
  });
  return seen;
}
