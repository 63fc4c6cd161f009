import { z } from 'zod';
import { encodeCanonicalJson } from '../text/json.ts';
import { publicKey } from '../trust/anchor.ts';
import { criticalFields } from '../trust/signed-document.ts';
import { pathPattern } from './bundle-paths.ts';
import { areDistinctModels, modelNameSchema } from './model-name.ts';
import { modelShape } from './model-shape.ts';
import { architectures } from './release-name.ts';
import { versionSchema } from './version.ts';

/**
 * `release.json`, the signed manifest of a bundle. It lists everything else in the bundle with size
 * and SHA-256, so trust in these bytes extends to the whole bundle.
 */

const hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits');
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits');
const bytes = z.int().nonnegative();
const instant = z.iso.datetime({ precision: 0 });
const name = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

const path = z.string().regex(pathPattern, 'must be a plain relative path');

/**
 * The recovery key must differ from the release keys, because it replaces them after a theft.
 * Duplicates would make a list look longer than it is.
 */
const keys = z
  .strictObject({
    release: z.array(publicKey).min(1).max(8),
    recovery: publicKey.nullable(),
  })
  .refine(
    ({ release, recovery }) => new Set([...release, recovery]).size === release.length + 1,
    'must not list a key twice',
  );

/** Image references. They become command arguments, so spaces and quotes are rejected. */
const reference = z
  .string()
  .max(512)
  .regex(/^[A-Za-z0-9[][A-Za-z0-9._:/@+[\]-]*$/, 'must be a name such as ollama/ollama:0.35.1');

/** Printable ASCII. Rejects characters that a URL parser would silently strip or escape. */
const webUrl = z
  .url({ protocol: /^https?$/ })
  .max(1024)
  .regex(/^[!-~]+$/, 'must be a URL without blanks');

/**
 * An image for one platform. `null`: not resolved when the bundle was built (thin bundles only).
 */
const image = z.strictObject({
  component: name,
  /** As the user wrote it: `ollama/ollama:0.35.1`. */
  reference,
  /** Digest of the image index, the result of a pull by tag. */
  index: digest,
  /** Digest of the manifest for this bundle's architecture. */
  manifest: digest.nullable(),
  /** Digest of the image configuration: the image ID in Docker's classic store. */
  config: digest.nullable(),
  /** Compressed download size in bytes: manifest, configuration and layers. */
  size: bytes.nullable(),
  optional: z.boolean(),
  /**
   * The base image to which the builder added a program of Landfall. The result is in no registry;
   * its blobs are in the bundle, even in a thin one.
   */
  base: z.strictObject({ reference, index: digest }).optional(),
});

/** The purpose of a model. */
export const modelRoles = ['chat', 'embedding'] as const;
export type ModelRole = (typeof modelRoles)[number];

/** A model for Ollama. `null`: not resolved when the bundle was built (thin bundles only). */
const model = z.strictObject({
  /** As the user wrote it: `qwen3:8b`. */
  name: modelNameSchema,
  /** `chat` generates text; `embedding` generates vectors for document search. */
  role: z.enum(modelRoles),
  /** Digest of Ollama's manifest; `/api/tags` shows it without the prefix. */
  manifest: digest.nullable(),
  /** Total size of configuration and layers in bytes, without duplicates. */
  size: bytes.nullable(),
  /** What its GGUF header says about the memory of a conversation; absent if it was not read. */
  shape: modelShape.optional(),
});

/** A file that a thin bundle does not contain, with its download URLs and checksum. */
const download = z.strictObject({
  path,
  urls: z.array(webUrl).min(1).max(16),
  size: bytes.nullable(),
  sha256: hex,
  executable: z.boolean(),
});

const file = z.strictObject({
  path,
  size: bytes,
  sha256: hex,
  /** Offset of the file's first byte from the end of the head (see `head.ts`). */
  offset: bytes,
  executable: z.boolean(),
});

/** A file of the bootstrap, which is in user-data instead of the bundle. */
const bootstrapFile = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'must be a plain file name such as unpack.py'),
  sha256: hex,
});

export const releaseSchema = z.strictObject({
  schema: z.literal(1),
  product: name,
  version: versionSchema,
  arch: z.enum(architectures),
  kind: z.enum(['thin', 'full']),
  created: instant,
  /** After this instant, a server needs confirmation to install the release. */
  expires: instant,
  /** The oldest installed version that can update directly to this one; null: any. */
  updatesFrom: versionSchema.nullable(),
  /**
   * Increased by the first release whose data older releases cannot read. A rollback is possible
   * only within an epoch.
   */
  dataEpoch: z.int().min(1).max(1_000_000),
  /** The keys trusted from this release on. Only the recovery key may sign a change. */
  keys,
  critical: criticalFields,
  images: z.array(image).max(64),
  models: z
    .array(model)
    .max(64)
    .refine((models) => areDistinctModels(models.map((each) => each.name)), 'lists a model twice'),
  downloads: z.array(download).max(64),
  /** Files of this release's bootstrap, for comparison with user-data. Absent in older releases. */
  bootstrap: z
    .array(bootstrapFile)
    .min(1)
    .max(16)
    .refine((files) => new Set(files.map((each) => each.name)).size === files.length, {
      error: 'lists a file twice',
    })
    .optional(),
  files: z.array(file).min(1).max(20_000),
});

export type Release = z.infer<typeof releaseSchema>;
export type ReleaseFile = Release['files'][number];
export type ReleaseImage = Release['images'][number];
export type ReleaseModel = Release['models'][number];
export type ReleaseDownload = Release['downloads'][number];
export type ReleaseBootstrapFile = NonNullable<Release['bootstrap']>[number];

/** Encodes a release manifest as canonical JSON. Deterministic. */
export function encodeRelease(release: Release): Uint8Array {
  return encodeCanonicalJson(release);
}
