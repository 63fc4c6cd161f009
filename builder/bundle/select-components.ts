import { LandfallError } from '#contract/errors.ts';
import type { Appliance } from '../config/appliance.ts';
import type { Program } from '../config/appliance-schema.ts';
import { type Lock, type LockedImage, unresolved } from '../lock/lock.ts';

/** A component that goes into a bundle. */
export interface Selected {
  readonly name: string;
  readonly optional: boolean;
  /** What the builder puts on top of the locked image. */
  readonly program?: Program | undefined;
  readonly locked: LockedImage;
}

interface Selection {
  readonly components: readonly Selected[];
  /** Optional components that stay out because nobody knows their digest. */
  readonly unknown: readonly string[];
}

/**
 * Chooses the components of a bundle, in the appliance's order. An optional one whose index nobody
 * has resolved stays out; a required one is an error.
 * @param without names of optional components and of models that a person leaves out
 * @throws LandfallError USAGE, LOCK_UNRESOLVED
 */
export function selectComponents(
  appliance: Appliance,
  lock: Lock,
  without: ReadonlySet<string>,
): Selection {
  refuseOddChoices(appliance, without);
  const components: Selected[] = [];
  const unknown: string[] = [];
  for (const [name, { optional, program }] of Object.entries(appliance.components)) {
    const locked = lock.images[name];
    if (!locked || without.has(name)) continue;
    if (locked.index !== unresolved) components.push({ name, optional, program, locked });
    else if (optional) unknown.push(name);
    else {
      throw new LandfallError('LOCK_UNRESOLVED', `nobody knows the digest of ${name} yet`, {
        hint: 'Resolve it with `landfall lock`, which asks its registry.',
      });
    }
  }
  return { components, unknown };
}

/** Models are left out by name, too; every one of them may be. */
function refuseOddChoices(appliance: Appliance, without: ReadonlySet<string>): void {
  const models = appliance.models.map(({ name }) => name);
  for (const name of without) {
    if (models.includes(name)) continue;
    const component = appliance.components[name];
    if (component?.optional) continue;
    const optional = Object.keys(appliance.components).filter(
      (key) => appliance.components[key]?.optional,
    );
    throw new LandfallError(
      'USAGE',
      component ? `${name} cannot be left out` : `there is no component or model ${name}`,
      { hint: `May be left out: ${[...optional, ...models].join(', ') || 'nothing'}.` },
    );
  }
}
