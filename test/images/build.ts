import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DebianMirror } from '../setup/debian-mirror.ts';
import { BlobFolder, type Descriptor } from './blob-folder.ts';
import { catalogue, type StandIn } from './catalogue.ts';
import { writeIndex, writeManifest } from './documents.ts';
import { LayerShelf } from './layer-shelf.ts';

/** Raise it when the code here makes other bytes from the same catalogue. */
export const recipeVersion = 1;

/**
 * Makes images, all of the catalogue when nobody says otherwise, into one OCI layout; layers that images share are made once.
 * @throws Unmet when mmdebstrap is not here, or its error.
 */
export async function buildImages(
  layout: string,
  mirror: DebianMirror,
  images: readonly StandIn[] = catalogue,
): Promise<void> {
  const blobs = new BlobFolder(layout);
  await blobs.create();
  const shelf = new LayerShelf(mirror, blobs);
  const indexes = await Promise.all(images.map((image) => buildImage(image, shelf, blobs)));
  const manifests = indexes.map((index, place) => named(index, images[place]));
  await writeFile(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  await writeFile(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
}

/** The name under which everybody asks for an image: `docker.io/library/nginx:1.30.5-alpine`. */
export function nameOf({ registry, repository, tag }: StandIn): string {
  return `${registry}/${repository}:${tag}`;
}

async function buildImage(
  image: StandIn,
  shelf: LayerShelf,
  blobs: BlobFolder,
): Promise<Descriptor> {
  const manifests = await Promise.all(
    image.architectures.map(async (architecture) => {
      const layers = await shelf.layers(image.layers, architecture);
      return await writeManifest(image, architecture, layers, blobs);
    }),
  );
  return await writeIndex(image, manifests, blobs);
}

function named(index: Descriptor, image: StandIn | undefined): object {
  if (!image) throw new Error('an index without an image');
  return { ...index, annotations: { 'org.opencontainers.image.ref.name': nameOf(image) } };
}
