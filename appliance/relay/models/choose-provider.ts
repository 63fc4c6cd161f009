import type { Candidate } from '../destination.ts';
import type { RelayEnv } from '../env.ts';
import { decodedModel } from '../formats/format.ts';

/** Returns the name in `/models/<model>`; undefined for another endpoint. */
export function modelInPath(pathname: string): string | undefined {
  return /^\/v1\/models\/(.+)$/.exec(decodedModel(pathname))?.[1];
}

/**
 * Returns the provider that lists a model. When none or several list it, that is the default provider
 * of the relay if it is a candidate, else the first.
 */
export async function chooseProvider(
  candidates: readonly [Candidate, ...Candidate[]],
  model: string | undefined,
  { models, defaultProvider }: Pick<RelayEnv, 'models' | 'defaultProvider'>,
): Promise<Candidate> {
  const main = candidates.find(({ provider }) => provider.name === defaultProvider);
  const fallback = main ?? candidates[0];
  if (model === undefined) return fallback;
  const lists = await Promise.all(
    candidates.map(async (each) => ({ each, names: await models.namesOf(each.provider) })),
  );
  const listing = lists.filter(({ names }) => names?.has(model));
  const [only] = listing;
  return only && listing.length === 1 ? only.each : fallback;
}
