import { inLanguage } from '#contract/text/language.ts';
import { engineModels, lockedModels, modelOf } from '../engine-models.ts';
import { insideOnly, testsOf } from '../smoke-test.ts';
import type { LockedModel, SmokeTarget } from '../target.ts';

export const modelTests = testsOf('engine', [
  {
    name: 'models-locked',
    title: 'the models match the release',
    chinese: '模型与版本一致',
    lookAt: {
      en: 'sudo landfall models list; sudo landfall models remove NAME, then pull NAME',
      zh: 'sudo landfall models list；先 sudo landfall models remove <名称>，再 pull <名称>',
    },
    notFor: needsModels,
    run: async (target) => {
      const { other } = await compare(target);
      if (other.length > 0)
        throw new Error(
          inLanguage({
            en: `digest differs from the release: ${namesOf(other)}`,
            zh: `摘要与版本不同：${namesOf(other)}`,
          }),
        );
    },
  },
]);

/** A missing model is not a failure: the report lists it. */
async function needsModels(target: SmokeTarget): Promise<string | undefined> {
  if (!target.inside) return insideOnly(target);
  if (lockedModels(target).length === 0)
    return inLanguage({ en: 'the release has no model', zh: '版本中没有模型' });
  const { missing, other } = await compare(target);
  // A model with a wrong digest must fail the test, even when other models are missing.
  return missing.length > 0 && other.length === 0
    ? `not installed yet: ${namesOf(missing)}`
    : undefined;
}

/** Returns the models of the release that Ollama does not list, and those with another digest. */
async function compare(target: SmokeTarget): Promise<Record<'missing' | 'other', LockedModel[]>> {
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
