import { type Candidate, localName } from '../destination.ts';
import type { RelayEnv } from '../env.ts';
import { decodedModel } from '../formats/format.ts';

/** Returns the name in `/models/<model>`; undefined for another endpoint. */
export function modelInPath(pathname: string): string | undefined {
  return /^\/v1\/models\/(.+)$/.exec(decodedModel(pathname))?.[1];
}

/**
 * Returns the provider that lists a model, or an equivalent name. When none or several list it, that is
 * the default provider of the relay if it is a candidate, else the first. But a model that may be a local
 * one stays on the server: its prompts may be private.
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
  const exact = lists.filter(({ names }) => names?.has(model));
  const listing = exact.length > 0 ? exact : lists.filter(({ names }) => hasSame(names, model));
  const local = lists.find(({ each }) => each.provider.name === localName);
  if (local && (listing.includes(local) || (listing.length === 0 && mayList(local.names, model))))
    return local.each;
  const [only] = listing;
  return only && listing.length === 1 ? only.each : fallback;
}

type Names = ReadonlySet<string> | undefined;

/** Returns the form of a name in which Ollama compares names: without defaults, in lower case. */
function plainName(name: string): string {
  const short = name.toLowerCase().replace(/^(?:registry\.ollama\.ai\/)?(?:library\/)?/, '');
  return /:[^/]*$/.test(short) ? short : `${short}:latest`;
}

function hasSame(names: Names, model: string): boolean {
  const plain = plainName(model);
  return [...(names ?? [])].some((name) => plainName(name) === plain);
}

/** Returns whether a model that no provider lists may be a local one: a tag of one, or not listed yet. */
function mayList(names: Names, model: string): boolean {
  if (names === undefined || /^[^/]+:/.test(model)) return true;
  const base = (name: string) => plainName(name).replace(/:[^/]*$/, '');
  return [...names].some((name) => base(name) === base(model));
}
