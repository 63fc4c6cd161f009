import { z } from 'zod';
import { platforms } from '../../base/platform.ts';

/** Stands for a value that is not resolved yet. */
export const unresolved = 'unresolved';

export const digestSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits');
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hex digits');

/** Extends a schema by `unresolved`. */
export function orUnresolved<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.literal(unresolved)]);
}

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

const localTransport = /^(?:oci|oci-archive|docker-archive|docker-daemon):/;

/** Returns whether an image comes from this computer and not from a registry. */
export function isLocalImage(image: string): boolean {
  return localTransport.test(image);
}

/**
 * Returns the reference of a locked image for its source. A registry reference includes the digest.
 * Files and Docker cannot be queried by digest; their images are compared with the lock afterwards.
 */
export function lockedReference({ image, index }: LockedImage): string {
  if (isLocalImage(image) || index === unresolved) return image;
  const bare = image.replace(/@sha256:[0-9a-f]{64}$/, '');
  return `${bare}@${index}`;
}

/**
 * A lock pins the inputs of an appliance: digests and sizes of each image and platform, URLs and
 * SHA-256 of each outside file, and the manifest digest or file SHA-256 of each model. Unknown values
 * are `unresolved`: a thin build continues and reports them, a frozen build fails.
 */

const platform = z.enum(platforms);

const lockedPlatform = z.strictObject({
  manifest: orUnresolved(digestSchema),
  config: orUnresolved(digestSchema),
  /** Bytes to download: manifest, configuration and layers. */
  size: orUnresolved(z.int().positive()),
});

const lockedImage = z
  .strictObject({
    image: z.string().max(512),
    index: orUnresolved(digestSchema),
    platforms: z.partialRecord(platform, lockedPlatform),
  })
  .refine(({ image, index }) => {
    const [, digest = index] = /@(sha256:[0-9a-f]{64})$/.exec(image) ?? [];
    return index === unresolved || index === digest;
  }, 'index must be the digest that image names');

const lockedFile = z.strictObject({
  /** URLs, or `npm:name@version` for a package of the configured npm registry. */
  urls: z.array(z.string().max(1024)).min(1).max(16),
  sha256: orUnresolved(sha256Schema),
  size: orUnresolved(z.int().positive()),
});

export const lockSchema = z.strictObject({
  version: z.literal(1),
  /** Checksum of the configuration that the lock was made from. */
  inputs: digestSchema,
  /** Creation time. It is also the time of the release, unless SOURCE_DATE_EPOCH is set. */
  created: z.iso.datetime({ precision: 0 }),
  images: z.record(z.string(), lockedImage),
  files: z.record(z.string(), z.partialRecord(platform, lockedFile)),
  /** By name. Old locks have no models. */
  models: z.record(z.string().max(512), lockedModelSchema).default({}),
});

export type Lock = z.infer<typeof lockSchema>;
export type LockedImage = z.infer<typeof lockedImage>;
export type LockedPlatform = z.infer<typeof lockedPlatform>;
export type LockedFile = z.infer<typeof lockedFile>;

/** Returns the unresolved fields of a lock, such as `engine linux/amd64: manifest`. */
export function unresolvedIn(lock: Lock): string[] {
  const images = Object.entries(lock.images).flatMap(([name, image]) =>
    unresolvedInImage(name, image),
  );
  const files = Object.entries(lock.files).flatMap(([name, byPlatform]) =>
    unresolvedByPlatform(name, byPlatform),
  );
  const models = Object.entries(lock.models).flatMap(([name, model]) =>
    openFields(model).map((field) => `${name}: ${field}`),
  );
  return [...images, ...files, ...models];
}

/** Returns the unresolved fields of an image. */
export function unresolvedInImage(name: string, image: LockedImage): string[] {
  const index = image.index === unresolved ? [`${name}: index`] : [];
  return [...index, ...unresolvedByPlatform(name, image.platforms)];
}

function unresolvedByPlatform(name: string, byPlatform: object): string[] {
  return Object.entries(byPlatform).flatMap(([platform, entry]) =>
    openFields(entry).map((field) => `${name} ${platform}: ${field}`),
  );
}

function openFields(entry: object): string[] {
  return Object.entries(entry)
    .filter(([, value]) => value === unresolved)
    .map(([field]) => field);
}
