import { engineModels, lockedModels, modelOf } from '../engine-models.ts';
import { insideOnly, type SmokeTest } from '../smoke-test.ts';
import type { LockedModel, Target } from '../target.ts';

export const modelTests: readonly SmokeTest[] = [
  {
    name: 'models-locked',
    title: 'the models are those of the release',
    lookAt: 'sudo landfall models list; sudo landfall models remove NAME, then pull NAME',
    notFor: needsModels,
    run: async (target) => {
      const { other } = await compare(target);
      if (other.length > 0) throw new Error(`${namesOf(other)} is another model`);
    },
  },
];

/** One that could not be pulled is known from the report, and no reason to call a server broken. */
async function needsModels(target: Target): Promise<string | undefined> {
  if (!target.inside) return insideOnly(target);
  if (lockedModels(target).length === 0) return 'the release names no model';
  const { missing, other } = await compare(target);
  // One that is another model is worth a failure, whichever is missing beside it.
  return missing.length > 0 && other.length === 0 ? `not here yet: ${namesOf(missing)}` : undefined;
}

/** The models of the release that the engine does not list, and those that it has otherwise. */
async function compare(target: Target): Promise<Record<'missing' | 'other', LockedModel[]>> {
  const listed = await engineModels(target);
  const locked = lockedModels(target);
  return {
    missing: locked.filter((each) => !modelOf(listed, each)),
    other: locked.filter((each) => {
      const found = modelOf(listed, each);
      return found && each.digest !== null && `sha256:${found.digest}` !== each.digest;
    }),
  };
}

function namesOf(models: readonly LockedModel[]): string {
  return models.map(({ name }) => name).join(', ');
}
