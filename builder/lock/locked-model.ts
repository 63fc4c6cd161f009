import { z } from 'zod';
import { digestSchema, orUnresolved, sha256Schema } from './lock-values.ts';

/** A registry model; its manifest pins all of its content. */
const registryModel = z.strictObject({
  manifest: orUnresolved(digestSchema),
  /** Bytes of configuration and layers. */
  size: orUnresolved(z.int().nonnegative()),
});

/** A GGUF file. Each build creates the model around it reproducibly. */
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

/** The fields of a model that its lock depends on. */
export interface ModelInput {
  readonly gguf?: string | undefined;
  /** 64 hex digits, if the user specified it. */
  readonly sha256?: string | undefined;
}

/** Returns whether a locked model is a GGUF file. */
export function isGguf(model: LockedModel): model is LockedGguf {
  return 'gguf' in model;
}
