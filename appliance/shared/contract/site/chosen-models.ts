import { parseModelName, shortModelName } from '../bundle/model-name.ts';
import type { Release } from '../bundle/release.ts';
import type { Site } from './site.ts';

/** Returns the names in `models` of a site that the release does not lock. */
export function missingModels(
  { models }: Pick<Release, 'models'>,
  { models: wanted = [] }: Pick<Site, 'models'>,
): string[] {
  return wanted.filter((name) => !models.some((model) => isSameModel(model.name, name)));
}

/** Returns whether two names are the same model: `qwen3:8b` is also `library/QWEN3:8b`. */
export function isSameModel(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function comparable(text: string): string {
  const name = parseModelName(text);
  return (name ? shortModelName(name) : text).toLowerCase();
}
