import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobFolder, type Descriptor } from './blob-folder.ts';
import { nameOf } from './build.ts';
import { type Account, RegistryWriter } from './registry-writer.ts';
import type { StandIn } from './stand-in.ts';

/** The fields of indexes and manifests that refer to other documents. */
interface Document {
  readonly manifests?: ReadonlyArray<Descriptor & { annotations?: Record<string, string> }>;
  readonly config?: Descriptor;
  readonly layers?: readonly Descriptor[];
}

/**
 * Pushes images from a layout to a registry on loopback, under their upstream names. A layer that
 * several images share is uploaded once and then mounted.
 */
export async function pushImages(
  layout: string,
  images: ReadonlyArray<Pick<StandIn, 'registry' | 'repository' | 'tag'>>,
  registry: string,
  account?: Account,
): Promise<void> {
  const blobs = new BlobFolder(layout);
  const { manifests = [] } = await readDocument(join(layout, 'index.json'));
  const homes = new Map<string, string>();
  for (const image of images) {
    const index = manifests.find(
      ({ annotations }) => annotations?.['org.opencontainers.image.ref.name'] === nameOf(image),
    );
    if (!index) throw new Error(`the layout has no ${nameOf(image)}`);
    const writer = new RegistryWriter(registry, image.repository, account);
    await pushDocument(index, image.tag, image.repository, blobs, writer, homes);
  }
}

/** Pushes the references of a document before the document: a registry rejects dangling ones. */
async function pushDocument(
  { digest, mediaType }: Descriptor,
  reference: string,
  repository: string,
  blobs: BlobFolder,
  writer: RegistryWriter,
  homes: Map<string, string>,
): Promise<void> {
  const bytes = await readFile(blobs.path(digest));
  const { manifests = [], config, layers = [] }: Document = JSON.parse(bytes.toString('utf8'));
  for (const manifest of manifests) {
    await pushDocument(manifest, manifest.digest, repository, blobs, writer, homes);
  }
  for (const blob of config ? [config, ...layers] : layers) {
    const home = homes.get(blob.digest);
    if (home && home !== repository) await writer.mountBlob(blob.digest, home);
    else await writer.putBlob(blob, blobs.path(blob.digest));
    homes.set(blob.digest, repository);
  }
  await writer.putManifest(reference, mediaType, bytes);
}

async function readDocument(file: string): Promise<Document> {
  return JSON.parse(await readFile(file, 'utf8'));
}
