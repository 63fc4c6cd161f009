import { z } from 'zod';
import type { ReleaseImage } from '#contract/bundle/release.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import { imageBlobPath } from '../../bundle/archive/entry.ts';
import { archiveOf, type BundleReader, type Member } from './bundle-reader.ts';
import type { Docker } from './docker/docker.ts';
import { previewImage } from './override.ts';

const digest = z.string().refine((text): text is Digest => isDigest(text));
const manifestSchema = z.object({
  config: z.object({ digest }),
  layers: z.array(z.object({ digest })),
});

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
  for (const image of images) {
    const name = previewImage(project, image);
    if (await isLoaded(docker, image, name)) continue;
    const members = await membersOf(reader, image, name);
    const input = archiveOf(reader, `loading ${image.component}`, members, reporter);
    await docker.run(['image', 'load', '--quiet'], { input });
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

/** Returns an archive as `docker image save` writes it (moby, image spec 1.2, "Combined Image JSON"). */
async function membersOf(
  reader: BundleReader,
  { manifest }: ReleaseImage,
  name: string,
): Promise<Member[]> {
  const bytes = await reader.read(imageBlobPath(manifest as Digest));
  const { config, layers } = manifestSchema.parse(JSON.parse(bytes.toString('utf8')));
  const [Config = '', ...Layers] = [config, ...layers].map((blob) => imageBlobPath(blob.digest));
  const list = Buffer.from(JSON.stringify([{ Config, RepoTags: [name], Layers }]));
  const paths = [...new Set([Config, ...Layers])];
  return [
    { name: 'manifest.json', content: list },
    ...paths.map((path) => ({ name: path, content: { path } })),
  ];
}
