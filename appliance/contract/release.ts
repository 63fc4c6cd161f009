import { z } from 'zod';
import { decodeCanonicalJson, encodeCanonicalJson } from './canonical-json.ts';
import { LandfallError } from './errors.ts';
import { architectures } from './release-name.ts';

/**
 * `release.json`, the manifest of a bundle: the one thing that is signed. Everything else in the
 * bundle is named here with its size and SHA-256, so trusting these bytes is trusting all of it.
 */

const hex = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits');
const digest = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hex digits');
const bytes = z.int().nonnegative();
const semver = z
  .string()
  .max(64)
  .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, 'must be a version such as 1.2.0');
const instant = z.iso.datetime({ precision: 0 });
const name = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** A path inside a bundle: relative, no dot segments, no leading dash, short enough for one tar header. */
const path = z
  .string()
  .max(100)
  .regex(/^(?!.*(?:^|\/)\.{1,2}(?:\/|$))(?!-)[A-Za-z0-9._@+-]+(?:\/[A-Za-z0-9._@+-]+){0,7}$/);

/** SubjectPublicKeyInfo, DER, base64: what stands between the lines of a PEM file. */
const publicKey = z
  .string()
  .max(256)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/);

/** An image for one platform. `null` means: not resolved when the bundle was made (thin bundles only). */
const image = z.strictObject({
  component: name,
  /** As a person wrote it: `ollama/ollama:0.35.1`. */
  reference: z.string().max(512),
  /** Digest of the image index, what a pull of the tag answers. */
  index: digest,
  /** Digest of the manifest for this bundle's architecture. */
  manifest: digest.nullable(),
  /** Digest of the image configuration: the image ID on Docker's classic store. */
  config: digest.nullable(),
  /** Compressed bytes to download: manifest, configuration and layers. */
  size: bytes.nullable(),
  optional: z.boolean(),
});

/** A file that a thin bundle leaves outside: where it is and what it must be. */
const download = z.strictObject({
  path,
  urls: z
    .array(z.url({ protocol: /^https?$/ }).max(1024))
    .min(1)
    .max(16),
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
  /** The keys trusted from now on. Only the recovery key may sign a release that changes them. */
  keys: z.strictObject({
    release: z.array(publicKey).min(1).max(8),
    recovery: publicKey.nullable(),
  }),
  images: z.array(image).max(64),
  models: z.array(z.string().max(256)).max(64),
  downloads: z.array(download).max(64),
  files: z.array(file).min(1).max(20_000),
});

export type Release = z.infer<typeof releaseSchema>;
export type ReleaseFile = Release['files'][number];
export type ReleaseImage = Release['images'][number];
export type ReleaseDownload = Release['downloads'][number];

/** The bytes of a release manifest: canonical JSON, the same for the same value. */
export function encodeRelease(release: Release): Buffer {
  return encodeCanonicalJson(release);
}

/**
 * Reads a release manifest, strictly: canonical bytes, known fields, values in range.
 * Call it only after the signature over the same bytes was checked.
 * @throws LandfallError BUNDLE_MANIFEST with every problem found.
 */
export function decodeRelease(bytesOfManifest: Uint8Array): Release {
  const parsed = releaseSchema.safeParse(decodeCanonicalJson(bytesOfManifest, 'BUNDLE_MANIFEST'));
  if (!parsed.success) {
    throw new LandfallError('BUNDLE_MANIFEST', 'release.json is not a valid release manifest', {
      hint: 'The bundle was made by another version of Landfall or by something else. Download it again from the project.',
      problems: parsed.error.issues.map((issue) => ({
        message: `${issue.path.join('.') || '(top level)'}: ${issue.message}`,
      })),
    });
  }
  return parsed.data;
}
