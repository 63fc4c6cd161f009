import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { digestOf } from '#contract/trust/digest.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { type Document, parseJson, printable, readDocument, valid } from '../registry/document.ts';
import type { DocumentCache } from '../registry/document-cache.ts';
import { readConfig, readIndex, readManifest } from '../registry/image-documents.ts';
import { ociConfig, ociLayer, ociManifest } from '../registry/media-types.ts';
import { canonical, type ImageReference, parseReference } from '../registry/reference.ts';
import { openArchiveFile } from './archive-file.ts';
import type { ArchiveOrigin } from './archive-source.ts';
import { findInLayout, notOneImage } from './layout-index.ts';
import type { ArchiveContents } from './read-archive.ts';

/** Returns the origin for an OCI image layout in a tar file. */
export function ociArchive(path: string, tag: string | undefined): ArchiveOrigin {
  return {
    name: path,
    open: () => openArchiveFile(path),
    root: async ({ documents: files }, documents) => {
      const layout = { layout: files.get('oci-layout'), index: files.get('index.json') };
      const descriptor = findInLayout(layout, tag, path);
      return { descriptor, bytes: await documents.read(descriptor.digest) };
    },
  };
}

/** Returns the origin for a file that `docker save` wrote. */
export function dockerArchive(path: string, reference: ImageReference | undefined): ArchiveOrigin {
  return {
    name: path,
    open: () => openArchiveFile(path),
    root: (contents, documents) => dockerRoot(contents, reference, documents, path),
  };
}

/** Returns the root document of an image in the format of `docker save`. */
export async function dockerRoot(
  contents: ArchiveContents,
  reference: ImageReference | undefined,
  documents: DocumentCache,
  what: string,
): Promise<Document> {
  const image = findInDockerArchive(contents, reference, what);
  return manifestFor(image, contents.documents.get('index.json'), documents, what);
}

/**
 * Returns the manifest of an image from a Docker archive. Uncompressed layers are verified against
 * the configuration, and a manifest is generated from them alone, so the same image gives the same
 * manifest whichever Docker version saved it. With the containerd image store, Docker saves layers
 * as they were pulled; then the archive contains the original manifest.
 * @param indexJson the archive's `index.json`, if it has one
 * @throws LandfallError IMAGE_SOURCE, IMAGE_MANIFEST, IMAGE_FOREIGN_LAYER
 */
async function manifestFor(
  image: ArchivedImage,
  indexJson: Buffer | undefined,
  documents: DocumentCache,
  what: string,
): Promise<Document> {
  const { diffIds } = readConfig(await documents.read(image.config.digest), what);
  const isPlain =
    diffIds.length === image.layers.length &&
    image.layers.every(({ digest }, index) => digest === diffIds[index]);
  const manifest = isPlain
    ? converted(image)
    : indexJson && (await original(image, indexJson, documents, what));
  if (manifest) {
    await documents.keep(manifest);
    return manifest;
  }
  throw new LandfallError(
    'IMAGE_SOURCE',
    `the layers of ${what} do not match the digests in its configuration`,
    {
      hint: 'Save the image again with `docker save`, or as an oci-archive; the layers are damaged or were compressed by a tool.',
    },
  );
}

/** Generates a canonical manifest: no annotations, no indentation, keys in specification order. */
function converted({ config, layers }: ArchivedImage): Document {
  const named = (mediaType: string, { digest, size }: Descriptor) => ({ mediaType, digest, size });
  const manifest = {
    schemaVersion: 2,
    mediaType: ociManifest,
    config: named(ociConfig, config),
    layers: layers.map((layer) => named(ociLayer, layer)),
  };
  const bytes = Buffer.from(JSON.stringify(manifest));
  return {
    bytes,
    descriptor: { mediaType: ociManifest, digest: digestOf(bytes), size: bytes.length },
  };
}

/** Returns the manifest in the archive that has this configuration, searching nested indexes. */
async function original(
  { config }: ArchivedImage,
  indexJson: Buffer,
  documents: DocumentCache,
  what: string,
): Promise<Document | undefined> {
  const pending = readIndex(parseJson(indexJson, what), what).map(({ descriptor }) => descriptor);
  const seen = new Set<string>();
  for (const descriptor of pending) {
    if (seen.has(descriptor.digest)) continue;
    seen.add(descriptor.digest);
    const bytes = await documents.recall(descriptor.digest);
    // The index lists all platforms, but Docker saves only the pulled ones.
    if (!bytes) continue;
    const { kind, value } = readDocument(bytes, descriptor.mediaType, what);
    if (kind === 'index') {
      pending.push(...readIndex(value, what).map((entry) => entry.descriptor));
    } else if (isAbout(value, config)) {
      readManifest(value, what);
      return { bytes, descriptor };
    }
  }
  return undefined;
}

/** Returns whether a manifest has this configuration; attestations have manifests as well. */
function isAbout(manifest: unknown, config: Descriptor): boolean {
  const found = manifest as { config?: { digest?: unknown } } | null;
  return found?.config?.digest === config.digest;
}

/** An image of a Docker archive, with the descriptors computed from its files. */
interface ArchivedImage {
  readonly config: Descriptor;
  /** Base first. */
  readonly layers: readonly Descriptor[];
}

const manifestSchema = z
  .array(
    z.object({
      Config: z.string().max(1024),
      RepoTags: z.array(z.string().max(512)).max(1024).nullish(),
      Layers: z.array(z.string().max(1024)).max(1024).nullish(),
    }),
  )
  .max(1024);

type ArchiveEntry = z.infer<typeof manifestSchema>[number];

const maxHops = 8;

/**
 * Finds an image in a `docker save` archive by Docker's `manifest.json`: in the old layout with a
 * folder per layer, or in the current one with `blobs/`. Without a name, the archive must contain
 * exactly one image.
 * @throws LandfallError IMAGE_SOURCE, IMAGE_NOT_FOUND, IMAGE_MANIFEST
 */
function findInDockerArchive(
  contents: ArchiveContents,
  reference: ImageReference | undefined,
  what: string,
): ArchivedImage {
  const bytes = contents.documents.get('manifest.json');
  if (!bytes) {
    throw new LandfallError('IMAGE_SOURCE', `${what} is not a Docker archive: no manifest.json`, {
      hint: 'Use oci-archive: for an OCI image layout in a tar.',
    });
  }
  const name = `manifest.json of ${what}`;
  const entries = valid(manifestSchema, parseJson(bytes, name), name);
  const entry = selectEntry(entries, reference, what);
  return {
    config: blobNamed(contents, entry.Config, what),
    layers: (entry.Layers ?? []).map((name) => blobNamed(contents, name, what)),
  };
}

function selectEntry(
  entries: readonly ArchiveEntry[],
  reference: ImageReference | undefined,
  what: string,
): ArchiveEntry {
  const wanted = reference && canonical(reference);
  const found = wanted ? entries.filter((entry) => namesOf(entry).includes(wanted)) : entries;
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  const names = entries.flatMap(({ RepoTags }) => RepoTags ?? []);
  throw notOneImage(what, first !== undefined, wanted, names);
}

function namesOf({ RepoTags }: ArchiveEntry): string[] {
  return (RepoTags ?? []).flatMap((tag) => {
    try {
      return canonical(parseReference(tag));
    } catch {
      // An invalid name cannot be requested, so it is ignored.
      return [];
    }
  });
}

function blobNamed({ blobs, links }: ArchiveContents, name: string, what: string): Descriptor {
  let at = name;
  for (let hop = 0; hop < maxHops; hop += 1) {
    const blob = blobs.get(at);
    if (blob) return blob;
    const target = links.get(at);
    if (target === undefined) break;
    at = target;
  }
  throw new LandfallError('IMAGE_SOURCE', `${what} does not contain ${printable(name)}`, {
    hint: 'Save the image again; its manifest.json refers to a missing file.',
  });
}
