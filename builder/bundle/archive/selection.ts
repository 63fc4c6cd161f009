import type { ModelRole } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import type { Appliance } from '../../inputs/config/appliance.ts';
import type { Program } from '../../inputs/config/appliance-schema.ts';
import {
  isGguf,
  type Lock,
  type LockedImage,
  type LockedModel,
  unresolved,
  unresolvedInImage,
} from '../../inputs/lock/lock.ts';

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

/** Reports what a bundle leaves out and what the lock pins only in part. */
export function reportSelection(
  reporter: Reporter,
  components: readonly Selected[],
  unknown: readonly string[],
  models: readonly SelectedModel[],
): void {
  for (const name of unknown) {
    reporter.note(`${name} is left out: its digest is not locked; run \`landfall lock\``);
  }
  const partly = components
    .filter(({ name, locked }) => unresolvedInImage(name, locked).length > 0)
    .map(({ name }) => name);
  if (partly.length > 0) {
    reporter.note(
      `pinned by index digest only, manifests and sizes unresolved: ${partly.join(', ')}`,
    );
  }
  for (const { name, locked } of models) {
    if (!Object.values(locked).includes(unresolved)) continue;
    reporter.note(
      `${name} is not pinned: the server pulls the current version; run \`landfall lock\` to pin it`,
    );
  }
}
