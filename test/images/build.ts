import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AptArchive } from '../setup/debian/apt-archive.ts';
import type { DebianMirror } from '../setup/debian/debian-mirror.ts';
import { BlobFolder, type Descriptor } from './blob-folder.ts';
import { writeIndex, writeManifest } from './documents.ts';
import { type Architecture, LayerShelf } from './layer-shelf.ts';
import type { StandIn } from './stand-in.ts';

/**
 * Builds images into one OCI layout. Shared layers are built once.
 * @param cache a folder that keeps layers between runs
 * @throws the error of apt-get or dpkg-deb
 */
export async function buildImages(
  layout: string,
  images: readonly StandIn[],
  { cache, mirror }: { cache: string; mirror: () => Promise<DebianMirror> },
): Promise<void> {
  const archives = new Map<Architecture, Promise<AptArchive>>();
  const archiveOf = (architecture: Architecture) => {
    const known = archives.get(architecture);
    if (known) return known;
    const opening = mirror().then((found) =>
      AptArchive.open({ suite: 'trixie', architecture, mirror: found }),
    );
    archives.set(architecture, opening);
    return opening;
  };
  const blobs = new BlobFolder(layout);
  await blobs.create();
  try {
    const shelf = new LayerShelf(cache, archiveOf);
    const indexes = await Promise.all(images.map((image) => buildImage(image, shelf, blobs)));
    const manifests = indexes.map((index, position) => named(index, images[position]));
    await writeFile(join(layout, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
    await writeFile(join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  } finally {
    for (const archive of archives.values()) await (await archive).close();
  }
}

/** Returns the full name of an image: `docker.io/library/nginx:1.30.7-alpine`. */
export function nameOf({
  registry,
  repository,
  tag,
}: Pick<StandIn, 'registry' | 'repository' | 'tag'>): string {
  return `${registry}/${repository}:${tag}`;
}

async function buildImage(
  image: StandIn,
  shelf: LayerShelf,
  blobs: BlobFolder,
): Promise<Descriptor> {
  const manifests = await Promise.all(
    image.architectures.map(async (architecture) => {
      const layers = await shelf.layers(image.layers, architecture, blobs);
      return await writeManifest(image, architecture, layers, blobs);
    }),
  );
  return await writeIndex(image, manifests, blobs);
}

function named(index: Descriptor, image: StandIn | undefined): object {
  if (!image) throw new Error('an index without an image');
  return { ...index, annotations: { 'org.opencontainers.image.ref.name': nameOf(image) } };
}
