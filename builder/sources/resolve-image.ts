import { LandfallError } from '#contract/errors.ts';
import type { Descriptor } from '../blobs/blob.ts';
import type { Platform } from '../platform.ts';
import { type Document, readDocument } from '../registry/document.ts';
import { type ImageConfig, readConfig } from '../registry/image-config.ts';
import { readIndex } from '../registry/image-index.ts';
import { readManifest } from '../registry/manifest.ts';
import { missingPlatforms, platformName, runsOn, selectPlatforms } from './select-platforms.ts';
import type { PlatformImage, ResolvedImage } from './source.ts';

/** How a source gets at the documents below the first one; each is verified by its digest. */
interface DocumentReader {
  /** The image's name, for messages. */
  readonly name: string;
  readonly manifest: (descriptor: Descriptor) => Promise<Document>;
  readonly config: (descriptor: Descriptor) => Promise<Document>;
}

/**
 * Follows an image from its first document down to the layers of the platforms asked for. A
 * manifest in the place of an index will do where just one platform is wanted and is what it is.
 * @throws LandfallError IMAGE_NOT_INDEX, IMAGE_PLATFORM, IMAGE_MANIFEST, IMAGE_FOREIGN_LAYER and
 *   those of the reader
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
      `what ${name} calls ${platform} was built for ${platformName(config)}`,
      { hint: 'The image was put together wrongly and would not run. Ask whoever pushed it.' },
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
    throw new LandfallError('IMAGE_NOT_INDEX', `${name} is the image of a single platform`, {
      hint: `Wanted are ${platforms.join(' and ')}. Name the tag or the digest of its index, or keep just one platform in appliance.yaml.`,
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
    throw new LandfallError('IMAGE_MANIFEST', `${name} has an index within its index`, {
      hint: 'Name the inner index directly, by its digest.',
    });
  }
  const { config: descriptor, layers } = readManifest(value, name);
  const document = await reader.config(descriptor);
  const config = readConfig(document.bytes, name);
  if (config.diffIds.length !== layers.length) {
    throw new LandfallError(
      'IMAGE_MANIFEST',
      `${name} has ${layers.length} layers, and its configuration counts ${config.diffIds.length}`,
      { hint: 'The image is damaged. Have it pushed again.' },
    );
  }
  return { image: { platform, manifest, config: document, layers }, config };
}
