import type { Release } from '#contract/bundle/release.ts';
import type { Appliance } from '../config/appliance.ts';

/**
 * Returns the optional components and the models of an appliance that a release does not have, because
 * it was built with `--without`.
 */
export function leftOut(
  { components, models }: Pick<Appliance, 'components' | 'models'>,
  release: Release,
): ReadonlySet<string> {
  const images = new Set(release.images.map(({ component }) => component));
  const present = new Set(release.models.map(({ name }) => name));
  const optional = Object.entries(components).filter(([, { optional }]) => optional);
  return new Set([
    ...optional.map(([name]) => name).filter((name) => !images.has(name)),
    ...models.map(({ name }) => name).filter((name) => !present.has(name)),
  ]);
}
