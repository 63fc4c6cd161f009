import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar, { type Extract, type Header } from 'tar-stream';
import { LandfallError } from '#contract/errors.ts';
import { printable } from '../registry/document.ts';

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

const mostMembers = 16_384;
const maxName = 1024;

/**
 * Reads a tar as a stream with constant memory. Rejects everything that image archives do not
 * contain: names and links that escape the archive, duplicate names, devices, sparse files.
 * @throws LandfallError IMAGE_SOURCE, and the errors of the byte source
 */
export async function* readTar(source: Readable, what: string): AsyncGenerator<TarMember> {
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
      if (names.size > mostMembers) throw refused(what, `has more than ${mostMembers} members`);
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
