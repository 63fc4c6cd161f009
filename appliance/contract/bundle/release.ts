import { z } from 'zod';
import { encodeCanonicalJson } from '../text/canonical-json.ts';
import { isPublicKey } from '../trust/keys.ts';
import { areDistinctModels, modelPattern } from './model-name.ts';
import { pathPattern } from './path.ts';
import { architectures } from './release-name.ts';
import { versionPattern } from './version.ts';

/**
 * `release.json`, the manifest of a bundle: the one thing that is signed. Everything else in the
 * bundle is named here with its size and SHA-256, so trusting these bytes is trusting all of it.
 */

const hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits');
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits');
const bytes = z.int().nonnegative();
const semver = z.string().max(64).regex(versionPattern, 'must be a version such as 1.2.0');
const instant = z.iso.datetime({ precision: 0 });
const name = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

const path = z.string().regex(pathPattern, 'must be a plain relative path');

/** SubjectPublicKeyInfo, DER, base64: what stands between the lines of a PEM file. */
const publicKey = z.string().max(256).refine(isPublicKey, 'must be a P-256 public key in base64');

/**
 * A recovery key that also signs every day would be stolen together with what it is to replace.
 * A key named twice would make a list look longer than it is.
 */
const keys = z
  .strictObject({
    release: z.array(publicKey).min(1).max(8),
    recovery: publicKey.nullable(),
  })
  .refine(
    ({ release, recovery }) => new Set([...release, recovery]).size === release.length + 1,
    'must not name a key twice',
  );

/** References of images: they end up in commands, so no blanks and no quotes. */
const reference = z
  .string()
  .max(512)
  .regex(/^[A-Za-z0-9[][A-Za-z0-9._:/@+[\]-]*$/, 'must be a name such as ollama/ollama:0.35.1');

/** Printable ASCII: what a URL parser would strip or escape in silence is refused instead. */
const webUrl = z
  .url({ protocol: /^https?$/ })
  .max(1024)
  .regex(/^[!-~]+$/, 'must be a URL without blanks');

/** An image for one platform. `null` means: not resolved when the bundle was made (thin bundles only). */
const image = z.strictObject({
  component: name,
  /** As a person wrote it: `ollama/ollama:0.35.1`. */
  reference,
  /** Digest of the image index, what a pull of the tag answers. */
  index: digest,
  /** Digest of the manifest for this bundle's architecture. */
  manifest: digest.nullable(),
  /** Digest of the image configuration: the image ID on Docker's classic store. */
  config: digest.nullable(),
  /** Compressed bytes to download: manifest, configuration and layers. */
  size: bytes.nullable(),
  optional: z.boolean(),
  /**
   * The image that the builder put one of our programs on. No registry has the result: its blobs
   * are in the bundle, in a thin one too.
   */
  base: z.strictObject({ reference, index: digest }).optional(),
});

/** What a model of a release is for. */
export const modelRoles = ['chat', 'embedding'] as const;
export type ModelRole = (typeof modelRoles)[number];

/** A model for the engine. `null` means: not resolved when the bundle was made (thin bundles only). */
const model = z.strictObject({
  /** As a person wrote it: `qwen3:8b`. */
  name: z.string().max(512).regex(modelPattern, 'must be a model with its tag, such as qwen3:8b'),
  /** Whether it writes text, or turns text into vectors so that documents can be searched. */
  role: z.enum(modelRoles),
  /** Digest of the bytes of Ollama's manifest, what `/api/tags` shows without its prefix. */
  manifest: digest.nullable(),
  /** Bytes of its blobs: configuration and layers, each once. */
  size: bytes.nullable(),
});

/** A file that a thin bundle leaves outside: where it is and what it must be. */
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
  /** Where the file's first byte is, counted from the end of the head (see `head.ts`). */
  offset: bytes,
  executable: z.boolean(),
});

/** A file of the bootstrap, which user-data carries outside of the bundle. */
const bootstrapFile = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_.-]{0,63}$/, 'must be a plain file name such as unpack.py'),
  sha256: hex,
});

export const releaseSchema = z.strictObject({
  schema: z.literal(1),
  product: name,
  version: semver,
  arch: z.enum(architectures),
  kind: z.enum(['thin', 'full']),
  created: instant,
  /** After this instant a server takes the release only when told to. */
  expires: instant,
  /** The oldest installed version that may update straight to this one; null: any. */
  updatesFrom: semver.nullable(),
  /**
   * Raised by the first release whose data older releases cannot read. A server can go back to a
   * release only within the same epoch.
   */
  dataEpoch: z.int().min(1).max(1_000_000),
  /** The keys trusted from now on. Only the recovery key may sign a release that changes them. */
  keys,
  /**
   * Fields that a program must understand to install this release, as `crit` of RFC 7515 (4.1.11): by
   * their names, such as `images.runtime`, with the first version that understands each.
   */
  critical: z
    .array(
      z.strictObject({
        field: z
          .string()
          .max(256)
          .regex(
            /^[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*$/,
            'must be a field such as images.runtime',
          ),
        since: semver,
      }),
    )
    .min(1)
    .max(16)
    .optional(),
  images: z.array(image).max(64),
  models: z
    .array(model)
    .max(64)
    .refine((models) => areDistinctModels(models.map((each) => each.name)), 'names a model twice'),
  downloads: z.array(download).max(64),
  /**
   * The files of the bootstrap that belongs to this release, to compare user-data with. Releases that
   * were built before this field existed do not have it.
   */
  bootstrap: z
    .array(bootstrapFile)
    .min(1)
    .max(16)
    .refine((files) => new Set(files.map((each) => each.name)).size === files.length, {
      error: 'names a file twice',
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

/** The bytes of a release manifest: canonical JSON, the same for the same value. */
export function encodeRelease(release: Release): Uint8Array {
  return encodeCanonicalJson(release);
}
