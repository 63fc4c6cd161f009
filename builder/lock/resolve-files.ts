import type { Platform } from '../platform.ts';
import { composePluginFile, type LockInputs } from './inputs.ts';
import { type Lock, type LockedFile, unresolved } from './lock.ts';
import { refuseOther } from './refuse-other.ts';
import type { PendingEntry } from './settle.ts';

/** How outside files are looked up. */
export interface FileDeps {
  /**
   * Finds out size and SHA-256 of an outside file by reading it once.
   * @param sha256 64 hex digits, where they are known: a source with other bytes is passed over
   */
  readonly measure: (
    urls: readonly string[],
    sha256?: string,
  ) => Promise<{ size: number; sha256: string }>;
}

/** The entry of an outside file for one platform: kept when the previous lock has all of it. */
export function pendingFile(
  name: string,
  platform: Platform,
  { files }: LockInputs,
  previous: Lock | undefined,
  update: boolean,
  { measure }: FileDeps,
): PendingEntry<LockedFile> {
  const urls = [...(files[name]?.[platform] ?? [])];
  const known = knownFile(urls, previous?.files[name]?.[platform]);
  const isComplete = known.sha256 !== unresolved && known.size !== unresolved;
  return {
    name: `${name} for ${platform}`,
    otherSource: otherSourceOf(name),
    known,
    resolve: async () => {
      if (isComplete && !update) return known;
      const sha256 = update || known.sha256 === unresolved ? undefined : known.sha256;
      const found = await measure(urls, sha256);
      if (!update) refuseOther(name, { size: known.size, sha256: known.sha256 }, found);
      return { urls, ...found };
    },
  };
}

/** A file that keeps one of its URLs is the same file: a mirror was added or removed. */
function knownFile(urls: string[], locked: LockedFile | undefined): LockedFile {
  const isSame = locked?.urls.some((url) => urls.includes(url)) ?? false;
  if (locked === undefined || !isSame) return { urls, size: unresolved, sha256: unresolved };
  return { ...locked, urls };
}

function otherSourceOf(name: string): string {
  return name === composePluginFile
    ? "add a mirror's URL to compose_plugin.urls in appliance.yaml"
    : 'set npm_config_registry to the URL of an npm mirror';
}
