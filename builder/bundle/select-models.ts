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
  /** Whether the bundle carries it: a full one all, a thin one those that no registry has. */
  readonly carried: boolean;
}

/**
 * Chooses the models of a release, in the appliance's order.
 * @param without names of models that a person leaves out
 * @throws LandfallError LOCK_UNRESOLVED naming every model that the bundle should carry and nobody knows
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
  refuseUnknown(selected);
  return selected;
}

function refuseUnknown(selected: readonly SelectedModel[]): void {
  const unknown = selected.filter(
    ({ carried, locked }) => carried && Object.values(locked).includes(unresolved),
  );
  if (unknown.length === 0) return;
  const names = unknown.map(({ name }) => name);
  throw new LandfallError('LOCK_UNRESOLVED', `nobody knows the digest of ${names.join(', ')} yet`, {
    hint: `Resolve it with \`landfall lock\`, or leave it out with --without ${names[0]}.`,
  });
}
