import type { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { maxDocumentBytes, tooLarge } from '../registry/document.ts';
import { type ImportParts, importBlob } from './import-blob.ts';
import { readTar } from './tar-members.ts';

/** An image archive after one pass: the documents that say what is what, the rest in the store. */
export interface ArchiveContents {
  /** `index.json`, `manifest.json` and `oci-layout`, as far as they are there. */
  readonly documents: ReadonlyMap<string, Buffer>;
  readonly blobs: ReadonlyMap<string, Descriptor>;
  /** Layers that older engines wrote as a link to the same layer elsewhere in the archive. */
  readonly links: ReadonlyMap<string, string>;
}

const documentNames = ['index.json', 'manifest.json', 'oci-layout'];

/** What `docker save` adds for engines from before 1.10; nobody else needs it. */
const obsolete = /^(?:repositories|[^/]+\/(?:json|VERSION))$/;

const blobName = /^blobs\/sha256\/([0-9a-f]{64})$/;

/**
 * Reads an image archive once, from front to back, and puts what it holds into the store. Nothing
 * is unpacked, no name becomes a path.
 * @throws LandfallError IMAGE_SOURCE for hostile or damaged archives, IMAGE_MANIFEST for documents
 *   over 4 MiB, BLOB_DIGEST for a blob that is not what its name says, DISK_FULL, FILE_ACCESS
 */
export async function readArchive(
  source: Readable,
  what: string,
  parts: ImportParts,
): Promise<ArchiveContents> {
  const documents = new Map<string, Buffer>();
  const blobs = new Map<string, Descriptor>();
  const links = new Map<string, string>();
  for await (const member of readTar(source, what)) {
    const { name } = member;
    if (member.kind === 'link') {
      if (!name.endsWith('/layer.tar')) throw unexpectedLink(what, name);
      links.set(name, member.target);
    } else if (documentNames.includes(name)) {
      documents.set(name, await bytesOf(member.content, member.size, `${name} of ${what}`));
    } else if (!obsolete.test(name)) {
      const hex = blobName.exec(name)?.[1];
      const { size, content } = member;
      const digest = hex === undefined ? undefined : (`sha256:${hex}` as const);
      blobs.set(
        name,
        await importBlob(content, { label: `${name} of ${what}`, size, digest }, parts),
      );
    }
  }
  return { documents, blobs, links };
}

async function bytesOf(
  content: AsyncIterable<Buffer>,
  size: number,
  what: string,
): Promise<Buffer> {
  if (size > maxDocumentBytes) throw tooLarge(what);
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function unexpectedLink(what: string, name: string): LandfallError {
  return new LandfallError('IMAGE_SOURCE', `${what} has the link ${name}`, {
    hint: 'Only layers are ever links in image archives. Do not use it unless you know who made it.',
  });
}
