import { z } from 'zod';
import type { ReleaseImage } from '#contract/bundle/release.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import type { Reporter, Transfer } from '../progress/reporter.ts';
import { archiveOf, type BundleReader, imageBlobPath } from './bundle-reader.ts';
import type { Docker } from './docker/docker.ts';
import { previewImage } from './override.ts';

const digest = z.string().refine((text): text is Digest => isDigest(text));
const manifestSchema = z.object({
  config: z.object({ digest }),
  layers: z.array(z.object({ digest })),
});

/** The blobs of an image in the bundle. */
interface BundledImage {
  readonly image: ReleaseImage;
  readonly config: Digest;
  readonly layers: readonly Digest[];
}

/**
 * Loads the images that a bundle contains into Docker, under the names of this preview. `docker load`
 * works with every Docker, also that of Docker Desktop, which cannot reach a registry on this computer.
 * @throws LandfallError BUNDLE_CONTENT, COMMAND_FAILED
 */
export async function loadImages(
  docker: Docker,
  reader: BundleReader,
  images: readonly ReleaseImage[],
  project: string,
  reporter: Reporter,
): Promise<void> {
  const missing: BundledImage[] = [];
  for (const image of images) {
    if (!(await isLoaded(docker, image, nameOf(image)))) missing.push(await locate(reader, image));
  }
  const total = missing.reduce((sum, image) => sum + sizeOf(reader, image), 0);
  if (total === 0) return;
  const transfer = reporter.transfer('loading images', total);
  try {
    for (const each of missing) {
      const input = savedImage(reader, each, nameOf(each.image), transfer);
      await docker.run(['image', 'load', '--quiet'], { input });
    }
  } finally {
    transfer.end();
  }

  function nameOf({ component }: ReleaseImage): string {
    return previewImage(project, component, reader.release.version);
  }
}

/** Returns whether the bundle contains an image. */
export function isBundled(reader: BundleReader, { manifest }: ReleaseImage): boolean {
  return (
    manifest !== null && isDigest(manifest) && reader.sizeOf(imageBlobPath(manifest)) !== undefined
  );
}

/** The ID of an image is the digest of its configuration, or of its manifest in the containerd store. */
export async function isLoaded(
  docker: Docker,
  { config, manifest, index }: ReleaseImage,
  name: string,
): Promise<boolean> {
  const [id] = await docker.lines('image', 'inspect', '--format', '{{.Id}}', name);
  return id !== undefined && [config, manifest, index].includes(id);
}

async function locate(reader: BundleReader, image: ReleaseImage): Promise<BundledImage> {
  const bytes = await reader.read(imageBlobPath(image.manifest as Digest));
  const { config, layers } = manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  return { image, config: config.digest, layers: layers.map((layer) => layer.digest) };
}

function sizeOf(reader: BundleReader, { config, layers }: BundledImage): number {
  return blobsOf({ config, layers })
    .map((each) => reader.sizeOf(imageBlobPath(each)) ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

function blobsOf({ config, layers }: Omit<BundledImage, 'image'>): Digest[] {
  return [...new Set([config, ...layers])];
}

/** Returns an archive as `docker image save` writes it (moby, image spec 1.2, "Combined Image JSON"). */
function savedImage(
  reader: BundleReader,
  image: BundledImage,
  name: string,
  transfer: Transfer,
): AsyncGenerator<Uint8Array> {
  const list = [
    {
      Config: imageBlobPath(image.config),
      RepoTags: [name],
      Layers: image.layers.map(imageBlobPath),
    },
  ];
  const members = [
    { name: 'manifest.json', content: Buffer.from(JSON.stringify(list)) },
    ...blobsOf(image).map((digest) => {
      const path = imageBlobPath(digest);
      return { name: path, content: { path } };
    }),
  ];
  return archiveOf(reader, members, transfer);
}
