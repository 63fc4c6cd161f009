import type { Readable } from 'node:stream';
import { LandfallError } from '#contract/errors.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { maxDocumentBytes, tooLarge } from '../registry/document.ts';
import { type ImportParts, importBlob } from './import-blob.ts';
import { readTar } from './tar-members.ts';

/** An image archive after one pass: its root documents, and the rest in the store. */
export interface ArchiveContents {
  /** Those of `index.json`, `manifest.json` and `oci-layout` that exist. */
  readonly documents: ReadonlyMap<string, Buffer>;
  readonly blobs: ReadonlyMap<string, Descriptor>;
  /** Layers that older Docker versions wrote as a link to the same layer in the archive. */
  readonly links: ReadonlyMap<string, string>;
}

const documentNames = ['index.json', 'manifest.json', 'oci-layout'];

/** Files that `docker save` adds for Docker before 1.10. */
const obsolete = /^(?:repositories|[^/]+\/(?:json|VERSION))$/;

const blobName = /^blobs\/sha256\/([0-9a-f]{64})$/;

/**
 * Reads an image archive in one pass and imports its content into the store. Nothing is unpacked,
 * and no member name is used as a path.
 * @throws LandfallError IMAGE_SOURCE for malicious or damaged archives, IMAGE_MANIFEST for
 * documents
 *   over 4 MiB, BLOB_DIGEST for a blob that does not match its name, DISK_FULL, FILE_ACCESS
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
  return new LandfallError('IMAGE_SOURCE', `${what} has an unexpected link: ${name}`, {
    hint: 'Use another archive unless you trust its origin; only layers may be links in image archives.',
  });
}
