import { LandfallError } from '#contract/errors.ts';
import type { Appliance } from '../config/appliance.ts';
import type { Program } from '../config/appliance-schema.ts';
import { type Lock, type LockedImage, unresolved } from '../lock/lock.ts';

/** A component of a bundle. */
export interface Selected {
  readonly name: string;
  readonly optional: boolean;
  /** Program to add to the locked image. */
  readonly program?: Program | undefined;
  readonly locked: LockedImage;
}

interface Selection {
  readonly components: readonly Selected[];
  /** Optional components that are left out because their digest is not locked. */
  readonly unknown: readonly string[];
}

/**
 * Selects the components of a bundle, in the appliance's order. An optional component whose index
 * is not locked is left out; a required one is an error.
 * @param without names of optional components and models to leave out
 * @throws LandfallError USAGE, LOCK_UNRESOLVED
 */
export function selectComponents(
  appliance: Appliance,
  lock: Lock,
  without: ReadonlySet<string>,
): Selection {
  refuseInvalidNames(appliance, without);
  const components: Selected[] = [];
  const unknown: string[] = [];
  for (const [name, { optional, program }] of Object.entries(appliance.components)) {
    const locked = lock.images[name];
    if (!locked || without.has(name)) continue;
    if (locked.index !== unresolved) components.push({ name, optional, program, locked });
    else if (optional) unknown.push(name);
    else {
      throw new LandfallError('LOCK_UNRESOLVED', `the digest of ${name} is not locked`, {
        hint: 'Run `landfall lock` to resolve it from its registry.',
      });
    }
  }
  return { components, unknown };
}

/** Rejects unknown and required names. Every model may be left out. */
function refuseInvalidNames(appliance: Appliance, without: ReadonlySet<string>): void {
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
      component
        ? `--without ${name}: the component is required`
        : `--without ${name}: no such component or model`,
      { hint: `Choose from: ${[...optional, ...models].join(', ') || 'none'}.` },
    );
  }
}
