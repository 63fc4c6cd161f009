import type { Lock } from './lock.ts';
import { isGguf, type LockedModel, type ModelInput } from './locked-model.ts';

/** What differs between the models of an appliance and those of its lock, one sentence each. */
export function driftOfModels(
  wanted: Readonly<Record<string, ModelInput>>,
  { models: locked }: Pick<Lock, 'models'>,
): string[] {
  const surplus = Object.keys(locked)
    .filter((name) => !wanted[name])
    .map((name) => `${name} is locked but not in the appliance`);
  const others = Object.entries(wanted).flatMap(([name, input]) => {
    const entry = locked[name];
    if (!entry) return [`${name} is not locked`];
    return isLockOf(entry, input) ? [] : [`${name} is locked as something else`];
  });
  return [...surplus, ...others];
}

/** Whether a lock's entry is about what the appliance asks for: the same place, the same checksum. */
export function isLockOf(locked: LockedModel, { gguf, sha256 }: ModelInput): boolean {
  if (!isGguf(locked)) return gguf === undefined;
  return locked.gguf === gguf && (sha256 === undefined || locked.sha256 === sha256);
}
