import { z } from 'zod';
import { digestSchema, orUnresolved, sha256Schema } from './lock-values.ts';

/** A model of a registry: the manifest's bytes say all the rest. */
const registryModel = z.strictObject({
  manifest: orUnresolved(digestSchema),
  /** Bytes of configuration and layers. */
  size: orUnresolved(z.int().nonnegative()),
});

/** A GGUF file; the model around it is made anew in every build, the same each time. */
const ggufModel = z.strictObject({
  gguf: z.string().max(1024),
  sha256: orUnresolved(sha256Schema),
  /** Bytes of the file. */
  size: orUnresolved(z.int().positive()),
});

export const lockedModelSchema = z.union([registryModel, ggufModel]);

export type LockedModel = z.infer<typeof lockedModelSchema>;
export type LockedGguf = z.infer<typeof ggufModel>;
export type LockedRegistryModel = z.infer<typeof registryModel>;

/** What the lock of a model depends on. */
export interface ModelInput {
  readonly gguf?: string | undefined;
  /** Where a person knows it: 64 hex digits. */
  readonly sha256?: string | undefined;
}

/** Tells the two kinds of models apart. */
export function isGguf(model: LockedModel): model is LockedGguf {
  return 'gguf' in model;
}
