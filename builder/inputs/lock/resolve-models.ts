import { parseModelName } from '#contract/bundle/model-name.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import { isLockOf, type LockInputs } from './inputs.ts';
import {
  isGguf,
  type Lock,
  type LockedGguf,
  type LockedModel,
  type LockedRegistryModel,
  type ModelInput,
  unresolved,
} from './lock.ts';
import { type PendingEntry, refuseOther } from './pending-entry.ts';

/** Resolves models. */
export interface ModelDeps {
  /**
   * Resolves a model name in its registry.
   * @param manifest required digest, if known
   */
  readonly resolveModel: (
    name: string,
    manifest?: string,
  ) => Promise<{ manifest: string; size: number }>;
  /** Reads a GGUF file and returns its size and SHA-256. */
  readonly measureGguf: (
    source: string,
    sha256: string | undefined,
  ) => Promise<{ sha256: string; size: number }>;
  readonly reporter: Reporter;
}

/** Returns the pending entry of a model. A complete entry of the previous lock is kept. */
export function pendingModel(
  name: string,
  { models }: LockInputs,
  previous: Lock | undefined,
  update: boolean,
  deps: ModelDeps,
): PendingEntry<LockedModel> {
  const input = models[name] ?? {};
  const known = knownModel(input, previous?.models[name]);
  const isComplete = !Object.values(known).includes(unresolved);
  return {
    name,
    otherSource: otherSourceOf(name, known),
    known,
    resolve: async () => {
      if (isComplete && !update) return known;
      const wanted = update ? knownModel(input, undefined) : known;
      return isGguf(wanted)
        ? resolveGguf(name, wanted, deps)
        : resolveRegistryModel(name, wanted, deps);
    },
  };
}

function knownModel(input: ModelInput, locked: LockedModel | undefined): LockedModel {
  if (locked && isLockOf(locked, input)) return locked;
  const { gguf, sha256 = unresolved } = input;
  if (gguf === undefined) return { manifest: unresolved, size: unresolved };
  return { gguf, sha256, size: unresolved };
}

async function resolveRegistryModel(
  name: string,
  known: LockedRegistryModel,
  { resolveModel, reporter }: ModelDeps,
): Promise<LockedModel> {
  reporter.note(`resolving ${name}`);
  const { manifest, size } = await resolveModel(name, digestIn(known.manifest));
  refuseOther(name, { ...known }, { manifest, size });
  return { manifest, size };
}

async function resolveGguf(
  name: string,
  known: LockedGguf,
  { measureGguf, reporter }: ModelDeps,
): Promise<LockedModel> {
  const { gguf } = known;
  reporter.note(`reading ${gguf} for ${name}`);
  const found = await measureGguf(gguf, digestIn(known.sha256));
  refuseOther(name, { sha256: known.sha256, size: known.size }, found);
  return { gguf, ...found };
}

function digestIn(field: string): string | undefined {
  return field === unresolved ? undefined : field;
}

function otherSourceOf(name: string, model: LockedModel): string {
  if (isGguf(model))
    return 'correct `gguf` in appliance.yaml, or set HF_ENDPOINT to a Hugging Face mirror';
  return `add a mirror with --mirror ${parseModelName(name)?.host}=<url>`;
}
