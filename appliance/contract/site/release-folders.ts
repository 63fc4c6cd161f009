import type { Site } from './site.ts';

/** Returns the URLs of folders with the release; none if the bundle arrives over SSH (`release: push`). */
export function releaseFolders({ release }: Pick<Site, 'release'>): readonly string[] {
  return release === 'push' ? [] : release;
}
