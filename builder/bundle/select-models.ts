import type { ModelRole } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Appliance } from '../config/appliance.ts';
import { type Lock, unresolved } from '../lock/lock.ts';
import { isGguf, type LockedModel } from '../lock/locked-model.ts';

/** A model of a release. */
export interface SelectedModel {
  readonly name: string;
  readonly role: ModelRole;
  readonly template?: string | undefined;
  readonly locked: LockedModel;
  /** Whether the bundle carries it. A full bundle carries all models, a thin one only GGUF files. */
  readonly carried: boolean;
}

/**
 * Selects the models of a release, in the appliance's order.
 * @param without names of models to leave out
 * @throws LandfallError LOCK_UNRESOLVED naming every carried model that is not locked
 */
export function selectModels(
  { models }: Appliance,
  lock: Lock,
  kind: 'thin' | 'full',
  without: ReadonlySet<string>,
): SelectedModel[] {
  const selected = models.flatMap(({ name, role = 'chat', template }) => {
    const locked = lock.models[name];
    if (!locked || without.has(name)) return [];
    return [{ name, role, template, locked, carried: kind === 'full' || isGguf(locked) }];
  });
  refuseUnresolved(selected);
  return selected;
}

function refuseUnresolved(selected: readonly SelectedModel[]): void {
  const unknown = selected.filter(
    ({ carried, locked }) => carried && Object.values(locked).includes(unresolved),
  );
  if (unknown.length === 0) return;
  const names = unknown.map(({ name }) => name);
  throw new LandfallError('LOCK_UNRESOLVED', `models are not locked: ${names.join(', ')}`, {
    hint: `Run \`landfall lock\`, or leave a model out with --without ${names[0]}.`,
  });
}
