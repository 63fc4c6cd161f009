import { LandfallError } from '#contract/errors.ts';
import { say } from '#contract/text/language.ts';
import type { Platform } from '../../base/platform.ts';
import { composePluginFile, inputsChecksum, type LockInputs, nodeFile } from './inputs.ts';
import { type Lock, type LockedFile, unresolved, unresolvedIn } from './lock.ts';
import {
  type LockFailure,
  type PendingEntry,
  refuseOther,
  resolveOrKeep,
} from './pending-entry.ts';
import { type ImageDeps, pendingImage } from './resolve-images.ts';
import { type ModelDeps, pendingModel } from './resolve-models.ts';

export interface ResolveDeps extends ImageDeps, FileDeps, ModelDeps {
  /** Creation time of the lock. */
  readonly now: Date;
}

/** A lock and its failed entries, which keep their known values. */
interface Resolution {
  readonly lock: Lock;
  /** In the order of the lock. */
  readonly failures: readonly LockFailure[];
}

/**
 * Creates a lock for the inputs. Values of the previous lock are kept; incomplete entries are
 * requested by their known digest, and a different digest is a failure. Only entries that are new,
 * changed or in `update` are resolved by tag.
 */
export async function resolveLock(
  inputs: LockInputs,
  previous: Lock | undefined,
  update: ReadonlySet<string>,
  deps: ResolveDeps,
): Promise<Resolution> {
  const failures: LockFailure[][] = [];
  const resolveAll = async <T>(
    names: Readonly<Record<string, unknown>>,
    resolve: (name: string, isUpdate: boolean, failures: LockFailure[]) => Promise<T>,
  ): Promise<Record<string, T>> => {
    const entries = Object.keys(names).map(async (name) => {
      const own: LockFailure[] = [];
      failures.push(own);
      return [name, await resolve(name, update.has(name), own)] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  };

  const [images, files, models] = await Promise.all([
    resolveAll(inputs.images, (name, isUpdate, own) =>
      resolveOrKeep(pendingImage(name, inputs, previous, isUpdate, deps), own),
    ),
    resolveAll(inputs.files, async (name, isUpdate, own) => {
      const locked: Partial<Record<Platform, LockedFile>> = {};
      for (const platform of inputs.platforms) {
        const entry = pendingFile(name, platform, inputs, previous, isUpdate, deps);
        locked[platform] = await resolveOrKeep(entry, own);
      }
      return locked;
    }),
    resolveAll(inputs.models, (name, isUpdate, own) =>
      resolveOrKeep(pendingModel(name, inputs, previous, isUpdate, deps), own),
    ),
  ]);
  const created = deps.now.toISOString().replace(/\.\d+Z$/, 'Z');
  const lock: Lock = { version: 1, inputs: inputsChecksum(inputs), created, images, files, models };
  return { lock, failures: failures.flat() };
}

/**
 * Rejects a lock with unresolved values.
 * @throws LandfallError LOCK_UNRESOLVED listing all of them
 */
export function refuseUnresolved(lock: Lock): void {
  const open = unresolvedIn(lock);
  if (open.length === 0) return;
  throw new LandfallError('LOCK_UNRESOLVED', 'the lock file contains unresolved values', {
    hint: 'Run `landfall lock`, or build a thin bundle without --frozen.',
    problems: open.map((message) => ({ message })),
  });
}

/** Resolves outside files. */
interface FileDeps {
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
function pendingFile(
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
    name: say(`${name} for ${platform}`, `${platform} 的 ${name}`),
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
