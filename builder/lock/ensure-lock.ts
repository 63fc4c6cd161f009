import { LandfallError } from '#contract/errors.ts';
import { driftOf, type LockInputs } from './inputs.ts';
import type { Lock } from './lock.ts';
import { lockFailure } from './lock-failure.ts';
import { readLock, writeLock } from './lock-file.ts';
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
  const lock = await readLock(path);
  if (frozen) return frozenLock(path, inputs, lock);
  if (lock && driftOf(inputs, lock).length === 0) return lock;
  deps.reporter.note(lock ? `${path} is outdated; resolving the changes` : `creating ${path}`);
  const { lock: made, failures } = await resolveLock(inputs, lock, new Set(), deps);
  await writeLock(path, made);
  if (failures.length > 0) throw lockFailure(path, failures);
  return made;
}

/** @throws LandfallError LOCK_MISSING, LOCK_DRIFT, LOCK_UNRESOLVED */
function frozenLock(path: string, inputs: LockInputs, lock: Lock | undefined): Lock {
  if (!lock) {
    throw new LandfallError('LOCK_MISSING', `${path} does not exist`, {
      hint: 'Run `landfall lock` and commit the lock file.',
    });
  }
  refuseDrift(path, inputs, lock);
  refuseUnresolved(lock);
  return lock;
}

/**
 * Rejects a lock that does not match the appliance.
 * @throws LandfallError LOCK_DRIFT with every difference
 */
export function refuseDrift(path: string, inputs: LockInputs, lock: Lock): void {
  const drift = driftOf(inputs, lock);
  if (drift.length === 0) return;
  throw new LandfallError('LOCK_DRIFT', `${path} does not match the appliance`, {
    hint: 'Run `landfall lock` and commit the lock file.',
    problems: drift.map((message) => ({ message })),
  });
}
