import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar, { type Extract, type Header } from 'tar-stream';
import { LandfallError } from '#contract/errors.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { maxDocumentBytes, printable, tooLarge } from '../registry/document.ts';
import { type ImportParts, importBlob } from './import-blob.ts';

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

/** A member of an untrusted tar. Folders are skipped, because nothing is unpacked. */
type TarMember =
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly size: number;
      /** Read it before requesting the next member, or ignore it. */
      readonly content: AsyncIterable<Buffer>;
    }
  | {
      readonly kind: 'link';
      readonly name: string;
      /** A normalized name within the archive. It may not exist. */
      readonly target: string;
    };

type Entry = Extract extends AsyncIterable<infer Each> ? Each : never;

const maxMembers = 16_384;
const maxName = 1024;

/**
 * Reads a tar as a stream with constant memory. Rejects everything that image archives do not
 * contain: names and links that escape the archive, duplicate names, devices, sparse files.
 * @throws LandfallError IMAGE_SOURCE, and the errors of the byte source
 */
async function* readTar(source: Readable, what: string): AsyncGenerator<TarMember> {
  const entries = tar.extract();
  let failure: unknown;
  const feeding = pipeline(source, entries).catch((error: unknown) => {
    failure ??= error;
  });
  const broken = async (error: unknown) => {
    entries.destroy();
    await feeding;
    return explain(error, failure, what);
  };
  const names = new Set<string>();
  try {
    for await (const entry of entries) {
      const member = memberOf(entry, what, broken);
      if (member === undefined) {
        entry.resume();
        continue;
      }
      if (names.has(member.name))
        throw refused(what, `has a duplicate member: ${printable(member.name)}`);
      names.add(member.name);
      if (names.size > maxMembers) throw refused(what, `has more than ${maxMembers} members`);
      yield member;
      entry.resume();
    }
    await feeding;
    if (failure !== undefined) throw failure;
  } catch (error) {
    throw await broken(error);
  } finally {
    entries.destroy();
    source.destroy();
    await feeding;
  }
}

function memberOf(
  entry: Entry,
  what: string,
  broken: (error: unknown) => Promise<unknown>,
): TarMember | undefined {
  const { header } = entry;
  const { type } = header;
  if (type === 'directory') return undefined;
  const name = plainName(header.name, what);
  if (type === 'file' || type === 'contiguous-file') {
    return { kind: 'file', name, size: header.size, content: chunksOf(entry, broken) };
  }
  if (type === 'symlink' || type === 'link') {
    return { kind: 'link', name, target: targetOf(header, name, what) };
  }
  throw refused(what, `has ${printable(name)}, which is neither a file nor a link`);
}

/** tar-stream yields slices of its input, so they are Buffers; its types do not declare that. */
async function* chunksOf(
  entry: Entry,
  broken: (error: unknown) => Promise<unknown>,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of entry as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    throw await broken(error);
  }
}

/** Returns a member name in canonical form. GNU tar writes a leading `./`. */
function plainName(written: string, what: string): string {
  const name = written.replace(/^(?:\.\/)+/, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are rejected
  const isOdd = /[\u0000-\u001f\u007f\\]/.test(name) || name.length > maxName;
  const parts = name.split('/');
  if (isOdd || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw refused(what, `has a member with an invalid name: ${printable(JSON.stringify(written))}`);
  }
  return name;
}

/** Resolves a link. A symbolic link is relative to its folder, a hard link to the archive root. */
function targetOf(header: Header, name: string, what: string): string {
  // The types declare a string, but a missing name is null.
  const written = header.linkname || '';
  const folder = header.type === 'symlink' ? posix.dirname(name) : '.';
  const target = posix.join(folder, written);
  if (written === '' || posix.isAbsolute(written) || /^\.{1,2}(?:\/|$)/.test(target)) {
    throw refused(what, `has a link that leads outside: ${printable(name)}`);
  }
  return plainName(target, what);
}

/** Returns a LandfallError of either side. tar-stream's own errors have no details. */
function explain(error: unknown, feeding: unknown, what: string): unknown {
  const known = [error, feeding].find((each) => each instanceof LandfallError);
  if (known) return known;
  return new LandfallError('IMAGE_SOURCE', `${what} is not a complete tar archive`, {
    hint: 'Create it again; it is damaged, truncated or not a tar.',
    cause: error,
  });
}

function refused(what: string, found: string): LandfallError {
  return new LandfallError('IMAGE_SOURCE', `${what} ${found}`, {
    hint: 'Use another archive unless you trust its origin; no known tool writes such images.',
  });
}
