import { LandfallError } from '#contract/errors.ts';
import { isListed } from '../ollama/models.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { bringModelOrWarn, describeBringing } from './bring-model.ts';
import { dropModels } from './drop-models.ts';
import { EngineApi } from './engine-api.ts';
import { chosenStates, type ModelState } from './model-states.ts';

/**
 * The models of the release that this server gets. What the bundle brought is laid out, the rest is pulled. A pull
 * that fails never holds up a first boot: a server without its model is of use already, and a slow
 * line is no reason to have none.
 */
export const modelsStage: Stage = {
  name: 'models',
  title: 'models: what the engine can run',
  check: async (context) =>
    (await missing(context)).map((state) => describeBringing(context, state)),
  apply: async (context) => {
    for (const state of await missing(context)) await bringModelOrWarn(context, state);
    await dropModels(context, await chosenStates(context));
  },
  prove,
};

async function missing(context: Context): Promise<ModelState[]> {
  return (await chosenStates(context)).filter(({ present }) => !present);
}

/** The engine itself says what it has, by digest. What is missing was warned of. */
async function prove(context: Context): Promise<void> {
  const { host, site } = context;
  const stored = (await chosenStates(context)).filter((state) => state.stored);
  if (stored.length === 0) return;
  const listed = await host.outside.measure(() => EngineApi.of(site).list());
  const wrong = stored.filter(({ name, model }) => !isListed(listed, name, model.manifest));
  if (wrong.length === 0) return;
  throw new LandfallError('MODEL_FAILED', 'the engine does not show what lies in its store', {
    hint: 'See: sudo docker logs --tail 50 landfall-engine',
    retriable: true,
    problems: wrong.map(({ model }) => ({ message: `${model.name} is not listed, or another` })),
  });
}
