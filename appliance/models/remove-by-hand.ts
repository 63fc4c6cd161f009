import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { isSameModel } from '#contract/site/chosen-models.ts';
import { findListed } from '../ollama/models.ts';
import { localModels } from '../stack/local-models.ts';
import type { Context } from '../stage/stage.ts';
import { OllamaApi } from './ollama-api.ts';

/**
 * Removes a model that the user names, with all blobs that no other model uses.
 * @returns whether the next first boot installs it again
 * @throws LandfallError USAGE with the installed models; STACK_UNHEALTHY, MODEL_FAILED
 */
export async function removeByHand(
  { site, release, server }: Pick<Context, 'site' | 'release' | 'server'>,
  name: ModelName,
): Promise<boolean> {
  const short = shortModelName(name);
  const ollama = OllamaApi.of(site);
  const listed = await ollama.list();
  const found = findListed(listed, short);
  if (!found) {
    throw new LandfallError('USAGE', `model not found: ${short}`, {
      hint:
        listed.length > 0
          ? `Use one of: ${listed.map((each) => each.name).join(', ')}.`
          : 'Run `sudo landfall models list`. No models are installed.',
    });
  }
  await ollama.remove(found.name);
  return localModels(release, site, server).models.some((model) => isSameModel(model.name, short));
}
