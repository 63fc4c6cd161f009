import { LandfallError } from '#contract/errors.ts';
import { architectureOf, type Platform } from '../../base/platform.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { type Document, printable, readDocument } from '../registry/document.ts';
import {
  type ImageConfig,
  type IndexEntry,
  type IndexPlatform,
  readConfig,
  readIndex,
  readManifest,
} from '../registry/image-documents.ts';
import type { PlatformImage, ResolvedImage } from './source.ts';

/** Reads the documents below the root, verified by digest. */
interface DocumentReader {
  /** The image's name, for messages. */
  readonly name: string;
  readonly manifest: (descriptor: Descriptor) => Promise<Document>;
  readonly config: (descriptor: Descriptor) => Promise<Document>;
}

/**
 * Resolves an image from its root document to the layers of the requested platforms. The root may
 * be a manifest instead of an index if exactly one platform is requested and it matches.
 * @throws LandfallError IMAGE_NOT_INDEX, IMAGE_PLATFORM, IMAGE_MANIFEST, IMAGE_FOREIGN_LAYER and
 *   the errors of the reader
 */
export async function resolveImage(
  root: Document,
  platforms: readonly Platform[],
  reader: DocumentReader,
): Promise<ResolvedImage> {
  const { name } = reader;
  const { kind, value } = readDocument(root.bytes, root.descriptor.mediaType, name);
  if (kind === 'manifest')
    return { index: root, platforms: [await onlyOne(root, platforms, reader)] };
  const selected = selectPlatforms(readIndex(value, name), platforms, name);
  const images = selected.map(async ({ platform, entry }) => {
    const { image, config } = await readPlatform(
      await reader.manifest(entry.descriptor),
      platform,
      reader,
    );
    if (runsOn(config, platform)) return image;
    throw new LandfallError(
      'IMAGE_MANIFEST',
      `the ${platform} image of ${name} was built for ${platformName(config)}`,
      { hint: 'Ask the publisher of the image to fix its index; this image would not run.' },
    );
  });
  return { index: root, platforms: await Promise.all(images) };
}

async function onlyOne(
  root: Document,
  platforms: readonly Platform[],
  reader: DocumentReader,
): Promise<PlatformImage> {
  const { name } = reader;
  const [platform, ...others] = platforms;
  if (platform === undefined || others.length > 0) {
    throw new LandfallError('IMAGE_NOT_INDEX', `${name} is a single-platform image`, {
      hint: `Use the tag or the digest of an index with ${platforms.join(' and ')}, or keep one platform in appliance.yaml.`,
    });
  }
  const { image, config } = await readPlatform(root, platform, reader);
  if (runsOn(config, platform)) return image;
  throw missingPlatforms(name, [platform], [platformName(config)]);
}

async function readPlatform(
  manifest: Document,
  platform: Platform,
  reader: DocumentReader,
): Promise<{ image: PlatformImage; config: ImageConfig }> {
  const { name } = reader;
  const { kind, value } = readDocument(manifest.bytes, manifest.descriptor.mediaType, name);
  if (kind !== 'manifest') {
    throw new LandfallError('IMAGE_MANIFEST', `${name} has a nested index`, {
      hint: 'Use the digest of the inner index.',
    });
  }
  const { config: descriptor, layers } = readManifest(value, name);
  const document = await reader.config(descriptor);
  const config = readConfig(document.bytes, name);
  if (config.diffIds.length !== layers.length) {
    throw new LandfallError(
      'IMAGE_MANIFEST',
      `${name} has ${layers.length} layers, but its configuration lists ${config.diffIds.length}`,
      { hint: 'Push the image again; it is damaged.' },
    );
  }
  return { image: { platform, manifest, config: document, layers }, config };
}

/** The baseline variant of each architecture, as indexes spell it. */
const plainVariants: Record<ReturnType<typeof architectureOf>, string> = {
  amd64: 'v1',
  arm64: 'v8',
};

/** Returns whether an image for this index platform runs on every machine of a platform. */
function runsOn({ os, architecture, variant }: IndexPlatform, platform: Platform): boolean {
  const wanted = architectureOf(platform);
  return (
    os === 'linux' &&
    architecture === wanted &&
    (variant === undefined || variant === plainVariants[wanted])
  );
}

/**
 * Selects the index entry of each platform, the first of several (OCI image-spec "Image Index").
 * Attestations have the platform `unknown/unknown` and are never selected.
 * @throws LandfallError IMAGE_PLATFORM with the missing and the available platforms
 */
function selectPlatforms(
  entries: readonly IndexEntry[],
  platforms: readonly Platform[],
  what: string,
): Array<{ platform: Platform; entry: IndexEntry }> {
  const selected = platforms.map((platform) => ({
    platform,
    entry: entries.find((entry) => entry.platform && runsOn(entry.platform, platform)),
  }));
  const missing = selected.filter(({ entry }) => !entry).map(({ platform }) => platform);
  if (missing.length > 0) throw missingPlatforms(what, missing, offered(entries));
  return selected.flatMap(({ platform, entry }) => (entry ? [{ platform, entry }] : []));
}

/** Returns the error for an image that lacks requested platforms. */
function missingPlatforms(
  what: string,
  missing: readonly Platform[],
  offered: readonly string[],
): LandfallError {
  const there = offered.length === 0 ? 'no platform' : offered.join(', ');
  return new LandfallError(
    'IMAGE_PLATFORM',
    `${what} is not available for ${missing.join(' and ')}`,
    {
      hint: `Choose another image (this one has ${there}), or remove the platform from appliance.yaml.`,
    },
  );
}

/** Formats a platform: `linux/arm64/v8`. */
function platformName({ os, architecture, variant }: IndexPlatform): string {
  return printable([os, architecture, variant].filter(Boolean).join('/'));
}

function offered(entries: readonly IndexEntry[]): string[] {
  const names = entries.flatMap(({ platform }) =>
    platform && platform.os !== 'unknown' ? [platformName(platform)] : [],
  );
  return [...new Set(names)].sort();
}
