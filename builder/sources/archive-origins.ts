import type { Document } from '../registry/document.ts';
import type { DocumentCache } from '../registry/document-cache.ts';
import type { ImageReference } from '../registry/reference.ts';
import { openArchiveFile } from './archive-file.ts';
import type { ArchiveOrigin } from './archive-source.ts';
import { findInDockerArchive } from './docker-archive.ts';
import { manifestFor } from './docker-to-oci.ts';
import { findInLayout } from './layout-index.ts';
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
