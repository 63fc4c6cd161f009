import { LandfallError } from '#contract/errors.ts';
import type { Platform } from '../platform.ts';
import { inputsChecksum, type LockInputs } from './inputs.ts';
import { type Lock, type LockedFile, unresolvedIn } from './lock.ts';
import { type FileDeps, pendingFile } from './resolve-files.ts';
import { type ImageDeps, pendingImage } from './resolve-images.ts';
import { type ModelDeps, pendingModel } from './resolve-models.ts';
import { type LockFailure, settle } from './settle.ts';

export interface ResolveDeps extends ImageDeps, FileDeps, ModelDeps {
  /** The instant that the lock will carry. */
  readonly now: Date;
}

/** A lock, and the entries whose sources failed: those keep what was known of them. */
interface Resolution {
  readonly lock: Lock;
  /** In the order of the lock. */
  readonly failures: readonly LockFailure[];
}

/**
 * Makes a lock for these inputs. What a previous lock already knows is kept and never looked up by
 * tag: a known digest is requested by digest, and another one is a failure. Only what is new,
 * changed or named in `update` is resolved by its tag.
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
      settle(pendingImage(name, inputs, previous, isUpdate, deps), own),
    ),
    resolveAll(inputs.files, async (name, isUpdate, own) => {
      const locked: Partial<Record<Platform, LockedFile>> = {};
      for (const platform of inputs.platforms) {
        const entry = pendingFile(name, platform, inputs, previous, isUpdate, deps);
        locked[platform] = await settle(entry, own);
      }
      return locked;
    }),
    resolveAll(inputs.models, (name, isUpdate, own) =>
      settle(pendingModel(name, inputs, previous, isUpdate, deps), own),
    ),
  ]);
  const created = deps.now.toISOString().replace(/\.\d+Z$/, 'Z');
  const lock: Lock = { version: 1, inputs: inputsChecksum(inputs), created, images, files, models };
  return { lock, failures: failures.flat() };
}

/** @throws LandfallError LOCK_UNRESOLVED listing all that is open. */
export function refuseUnresolved(lock: Lock): void {
  const open = unresolvedIn(lock);
  if (open.length === 0) return;
  throw new LandfallError('LOCK_UNRESOLVED', 'the lock leaves things unresolved', {
    hint: 'Resolve them with `landfall lock`, which asks the registries. Only a thin build without --frozen may go on without.',
    problems: open.map((message) => ({ message })),
  });
}
