import type { Lock } from './lock.ts';
import { isGguf, type LockedModel, type ModelInput } from './locked-model.ts';

/** Returns the differences between the models of an appliance and of its lock. */
export function driftOfModels(
  wanted: Readonly<Record<string, ModelInput>>,
  { models: locked }: Pick<Lock, 'models'>,
): string[] {
  const surplus = Object.keys(locked)
    .filter((name) => !wanted[name])
    .map((name) => `${name} is locked, but not in the appliance`);
  const others = Object.entries(wanted).flatMap(([name, input]) => {
    const entry = locked[name];
    if (!entry) return [`${name} is not locked`];
    return isLockOf(entry, input) ? [] : [`${name} is locked from another source`];
  });
  return [...surplus, ...others];
}

/** Returns whether a lock entry has the source and the checksum of the appliance. */
export function isLockOf(locked: LockedModel, { gguf, sha256 }: ModelInput): boolean {
  if (!isGguf(locked)) return gguf === undefined;
  return locked.gguf === gguf && (sha256 === undefined || locked.sha256 === sha256);
}
