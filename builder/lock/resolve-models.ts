import type { Reporter } from '../report/reporter.ts';
import type { LockInputs, ModelInput } from './inputs.ts';
import { type Lock, unresolved } from './lock.ts';
import type { LockedModel } from './locked-model.ts';
import { isLockOf } from './model-drift.ts';

/** How models are looked up. */
export interface ModelDeps {
  /** Asks a registry what a name stands for. */
  readonly resolveModel: (name: string) => Promise<{ manifest: string; size: number }>;
  /** Finds out size and SHA-256 of a GGUF file by reading it once. */
  readonly measureGguf: (
    place: string,
    sha256: string | undefined,
  ) => Promise<{ sha256: string; size: number }>;
  readonly reporter: Reporter;
}

/**
 * The lock of every model. What a previous lock already answers is kept.
 * @throws LandfallError of the first place that cannot answer
 */
export async function resolveModels(
  { models: inputs }: LockInputs,
  previous: Lock | undefined,
  update: ReadonlySet<string>,
  deps: ModelDeps,
): Promise<Lock['models']> {
  const models: Lock['models'] = {};
  for (const [name, input] of Object.entries(inputs)) {
    const kept = update.has(name) ? undefined : keptModel(previous?.models[name], input);
    models[name] = kept ?? (await resolveModel(name, input, deps));
  }
  return models;
}

function keptModel(locked: LockedModel | undefined, input: ModelInput): LockedModel | undefined {
  if (!locked || !isLockOf(locked, input)) return undefined;
  return Object.values(locked).includes(unresolved) ? undefined : locked;
}

async function resolveModel(
  name: string,
  { gguf, sha256 }: ModelInput,
  { resolveModel, measureGguf, reporter }: ModelDeps,
): Promise<LockedModel> {
  if (gguf === undefined) {
    reporter.note(`resolving ${name}`);
    const { manifest, size } = await resolveModel(name);
    return { manifest, size };
  }
  reporter.note(`reading ${gguf} for ${name}`);
  return { gguf, ...(await measureGguf(gguf, sha256)) };
}
