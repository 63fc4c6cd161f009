import { LandfallError } from '#contract/errors.ts';
import { driftOf, type LockInputs } from './inputs.ts';
import type { Lock } from './lock.ts';
import { encodeLock, readLock, writeLock } from './lock-file.ts';
import { lockFailure } from './pending-entry.ts';
import { type ResolveDeps, refuseUnresolved, resolveLock } from './resolve.ts';

/**
 * Returns the lock for a build. If it is missing, it is created; if it is outdated, the changed
 * entries are resolved. The lock file is also written if a source fails, to keep resolved entries.
 * A frozen build requires a complete, current lock and does not change it.
 * @throws LandfallError LOCK_MISSING, LOCK_DRIFT, LOCK_UNRESOLVED, LOCK_INVALID and those of sources
 */
export async function ensureLock(
  path: string,
  inputs: LockInputs,
  frozen: boolean,
  deps: ResolveDeps,
): Promise<Lock> {
  if (frozen) {
    const lock = await checkedLock(path, inputs);
    refuseUnresolved(lock);
    return lock;
  }
  const lock = await readLock(path);
  if (lock && driftOf(inputs, lock).length === 0) return lock;
  deps.reporter.note(lock ? `${path} is outdated; resolving the changes` : `creating ${path}`);
  return (await updateLock(path, inputs, new Set(), deps)).lock;
}

/**
 * Resolves a lock and writes it, unless only its time changes. The file is also written if a source
 * fails, to keep resolved entries.
 * @param update names of the entries to resolve again
 * @throws LandfallError LOCK_INVALID, LOCK_DRIFT and those of sources
 */
export async function updateLock(
  path: string,
  inputs: LockInputs,
  update: ReadonlySet<string>,
  deps: ResolveDeps,
): Promise<{ readonly lock: Lock; readonly changed: boolean }> {
  const previous = await readLock(path);
  const { lock, failures } = await resolveLock(inputs, previous, update, deps);
  const isSame =
    previous && encodeLock({ ...lock, created: previous.created }) === encodeLock(previous);
  if (!isSame) await writeLock(path, lock);
  if (failures.length > 0) throw lockFailure(path, failures);
  return { lock, changed: !isSame };
}

/**
 * Reads a lock that must match the appliance.
 * @throws LandfallError LOCK_MISSING, LOCK_INVALID, LOCK_DRIFT with every difference
 */
export async function checkedLock(path: string, inputs: LockInputs): Promise<Lock> {
  const lock = await readLock(path);
  const hint = 'Run `landfall lock` and commit the lock file.';
  if (!lock) throw new LandfallError('LOCK_MISSING', `${path} does not exist`, { hint });
  const drift = driftOf(inputs, lock);
  if (drift.length === 0) return lock;
  const problems = drift.map((message) => ({ message }));
  throw new LandfallError('LOCK_DRIFT', `${path} does not match the appliance`, { hint, problems });
}
