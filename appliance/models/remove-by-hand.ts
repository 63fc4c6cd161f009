import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { isSameModel } from '#contract/site/chosen-models.ts';
import { findListed } from '../ollama/models.ts';
import { localModels } from '../stack/local-models.ts';
import type { Context } from '../stage/stage.ts';
import { EngineApi } from './engine-api.ts';

/**
 * Removes a model that a person names, with every blob that no other model uses.
 * @returns whether this server is to have it, so that the next first boot brings it back
 * @throws LandfallError USAGE with the models that there are; STACK_UNHEALTHY, MODEL_FAILED
 */
export async function removeByHand(
  { site, release, server }: Pick<Context, 'site' | 'release' | 'server'>,
  name: ModelName,
): Promise<boolean> {
  const short = shortModelName(name);
  const engine = EngineApi.of(site);
  const listed = await engine.list();
  const found = findListed(listed, short);
  if (!found) {
    throw new LandfallError('USAGE', `there is no model ${short} here`, {
      hint:
        listed.length > 0
          ? `There is ${listed.map((each) => each.name).join(', ')}.`
          : 'There is none at all.',
    });
  }
  await engine.remove(found.name);
  return localModels(release, site, server).models.some((model) => isSameModel(model.name, short));
}
