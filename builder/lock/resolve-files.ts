import type { Platform } from '../platform.ts';
import { composePluginFile, type LockInputs, nodeFile } from './inputs.ts';
import { type Lock, type LockedFile, unresolved } from './lock.ts';
import { refuseOther } from './refuse-other.ts';
import type { PendingEntry } from './resolve-entries.ts';

/** Resolves outside files. */
export interface FileDeps {
  /**
   * Downloads an outside file and returns its size and SHA-256.
   * @param sha256 64 hex digits, if known: a source with other bytes is skipped
   */
  readonly measure: (
    urls: readonly string[],
    sha256?: string,
  ) => Promise<{ size: number; sha256: string }>;
}

/** Returns the pending entry of an outside file. A complete entry of the previous lock is kept. */
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

/** Returns the locked values if at least one URL is unchanged: then only mirrors changed. */
function knownFile(urls: string[], locked: LockedFile | undefined): LockedFile {
  const isSame = locked?.urls.some((url) => urls.includes(url)) ?? false;
  if (locked === undefined || !isSame) return { urls, size: unresolved, sha256: unresolved };
  return { ...locked, urls };
}

function otherSourceOf(name: string): string {
  if (name === nodeFile) return 'set npm_config_registry to the URL of an npm mirror';
  const field = name === composePluginFile ? 'compose_plugin.urls' : `clients.${name}.urls`;
  return `add a mirror's URL to ${field} in appliance.yaml`;
}
