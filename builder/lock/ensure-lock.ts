import { LandfallError } from '#contract/errors.ts';
import { driftOf, type LockInputs } from './inputs.ts';
import type { Lock } from './lock.ts';
import { lockFailure } from './lock-failure.ts';
import { readLock, writeLock } from './lock-file.ts';
import { type ResolveDeps, refuseUnresolved, resolveLock } from './resolve.ts';

/**
 * The lock that a build goes by. Without one it is made and written first, with one that no longer
 * fits only what changed is resolved again: building and locking are one path, not two. A frozen
 * build changes nothing and wants everything resolved. What was resolved is kept when a source fails.
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
  deps.reporter.note(
    lock ? `${path} no longer fits; locking what changed` : `locking into ${path}`,
  );
  const { lock: made, failures } = await resolveLock(inputs, lock, new Set(), deps);
  await writeLock(path, made);
  if (failures.length > 0) throw lockFailure(path, failures);
  return made;
}

/** @throws LandfallError LOCK_MISSING, LOCK_DRIFT, LOCK_UNRESOLVED */
function frozenLock(path: string, inputs: LockInputs, lock: Lock | undefined): Lock {
  if (!lock) {
    throw new LandfallError('LOCK_MISSING', `there is no ${path}`, {
      hint: 'Make it with `landfall lock` and commit it.',
    });
  }
  refuseDrift(path, inputs, lock);
  refuseUnresolved(lock);
  return lock;
}

/** @throws LandfallError LOCK_DRIFT with every difference */
export function refuseDrift(path: string, inputs: LockInputs, lock: Lock): void {
  const drift = driftOf(inputs, lock);
  if (drift.length === 0) return;
  throw new LandfallError('LOCK_DRIFT', `${path} does not fit the appliance`, {
    hint: 'Bring it up to date with `landfall lock` and commit it.',
    problems: drift.map((message) => ({ message })),
  });
}
