import { type EngineModel, engineModels } from '../engine-models.ts';
import { insideOf, insideOnly, type SmokeTest } from '../smoke-test.ts';
import type { LockedModel, Target } from '../target.ts';

export const modelTests: readonly SmokeTest[] = [
  {
    name: 'models-locked',
    title: 'the models are those of the release',
    lookAt: 'sudo landfall models list; sudo landfall models remove NAME, then pull NAME',
    notFor: needsModels,
    run: async (target) => {
      const listed = await engineModels(target);
      const wrong = lockedModels(target).filter((locked) => {
        const found = modelOf(listed, locked);
        return found && locked.digest !== null && `sha256:${found.digest}` !== locked.digest;
      });
      if (wrong.length === 0) return;
      throw new Error(`${wrong.map(({ name }) => name).join(', ')} is another model`);
    },
  },
];

/** One that could not be pulled is known from the report, and no reason to call a server broken. */
async function needsModels(target: Target): Promise<string | undefined> {
  if (!target.inside) return insideOnly(target);
  const locked = lockedModels(target);
  if (locked.length === 0) return 'the release names no model';
  const listed = await engineModels(target);
  const isHere = locked.some((each) => modelOf(listed, each) !== undefined);
  return isHere ? undefined : `not here yet: ${locked.map(({ name }) => name).join(', ')}`;
}

function lockedModels(target: Target): readonly LockedModel[] {
  return insideOf(target).models ?? [];
}

/** The engine does not tell capitals from small letters. */
function modelOf(listed: readonly EngineModel[], { name }: LockedModel): EngineModel | undefined {
  return listed.find((model) => model.name.toLowerCase() === name.toLowerCase());
}
