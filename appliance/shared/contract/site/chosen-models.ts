import { isSameModel } from '../bundle/model-name.ts';
import type { Release } from '../bundle/release.ts';
import type { Site } from './site.ts';

/** Returns the names in `models` of a site that the release does not lock. */
export function missingModels(
  { models }: Pick<Release, 'models'>,
  { models: wanted = [] }: Pick<Site, 'models'>,
): string[] {
  return wanted.filter((name) => !models.some((model) => isSameModel(model.name, name)));
}
