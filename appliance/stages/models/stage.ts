import { modelsFolder } from '#contract/bundle/bundle-paths.ts';
import { LandfallError } from '#contract/errors.ts';
import { isListed, OllamaApi } from '../../server/ollama/ollama-api.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { dropBundled } from '../preflight/public.ts';
import { bringModelOrWarn, describeBringing } from './bring-model.ts';
import { chosenStates, type ModelState } from './public.ts';

/**
 * Installs the models of the release for this server, from the bundle or by pulling them. A failed pull
 * does not stop the first boot, because the server is useful without local models.
 */
export const modelsStage: Stage = {
  name: 'models',
  title: 'models: local models of the inference engine',
  check: async (context) =>
    (await missing(context)).map((state) => describeBringing(context, state)),
  apply: async (context) => {
    for (const state of await missing(context)) await bringModelOrWarn(context, state);
    await dropModels(context);
  },
  prove,
};

async function missing(context: Context): Promise<ModelState[]> {
  return (await chosenStates(context)).filter(({ present }) => !present);
}

/** Checks that Ollama lists the stored models by digest. Missing models are only warnings. */
async function prove(context: Context): Promise<void> {
  const { host, site } = context;
  const stored = (await chosenStates(context)).filter((state) => state.stored);
  if (stored.length === 0) return;
  const listed = await host.outside.measure(() => OllamaApi.of(site).list());
  const wrong = stored.filter(({ name, model }) => !isListed(listed, name, model.manifest));
  if (wrong.length === 0) return;
  throw new LandfallError('MODEL_FAILED', 'Ollama does not list models that are in its store', {
    hint: {
      en: 'Check the logs: sudo docker logs --tail 50 landfall-engine',
      zh: '查看日志：sudo docker logs --tail 50 landfall-engine',
    },
    retriable: true,
    problems: wrong.map(({ model }) => ({
      message: `${model.name} is not listed, or has another digest`,
    })),
  });
}

/**
 * Removes the bundled models if Ollama has imported all of them. If Ollama shares the files, their space
 * becomes free when the model is removed.
 */
async function dropModels(context: Context): Promise<void> {
  const states = await chosenStates(context);
  if (states.some(({ present, carried }) => carried !== undefined && !present)) return;
  await dropBundled(context, modelsFolder, {
    en: 'the bundled models, which Ollama has imported',
    zh: '发布包中已由 Ollama 导入的模型',
  });
}
