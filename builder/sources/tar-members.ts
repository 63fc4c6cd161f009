import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar, { type Extract, type Header } from 'tar-stream';
import { LandfallError } from '#contract/errors.ts';
import { printable } from '../registry/document.ts';

/** A member of a tar of strangers. Folders are not told of: nothing is unpacked. */
type TarMember =
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly size: number;
      /** Read it before asking for the next member, or leave it. */
      readonly content: AsyncIterable<Buffer>;
    }
  | {
      readonly kind: 'link';
      readonly name: string;
      /** A name within the archive, whether it exists or not. */
      readonly target: string;
    };

type Entry = Extract extends AsyncIterable<infer Each> ? Each : never;

const mostMembers = 16_384;
const longestName = 1024;

/**
 * Reads a tar from its beginning to its end, flat in memory. Refuses what no image archive has:
 * names and links that lead outside or are not plain, a name that comes twice, devices, sparse files.
 * @throws LandfallError IMAGE_SOURCE, and what the source of the bytes throws
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
      if (names.has(member.name)) throw refused(what, `has ${printable(member.name)} twice`);
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

/** tar-stream hands on pieces of what it was fed, so they are Buffers, which its types do not say. */
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

/** A name in its one spelling; `./` in front is what GNU tar writes. */
function plainName(written: string, what: string): string {
  const name = written.replace(/^(?:\.\/)+/, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  const isOdd = /[\u0000-\u001f\u007f\\]/.test(name) || name.length > longestName;
  const parts = name.split('/');
  if (isOdd || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw refused(what, `has a member with the name ${printable(JSON.stringify(written))}`);
  }
  return name;
}

/** A symbolic link starts from its own folder, a hard link from the root of the archive. */
function targetOf(header: Header, name: string, what: string): string {
  // Its types promise a text; where there is none it gives null.
  const written = header.linkname || '';
  const folder = header.type === 'symlink' ? posix.dirname(name) : '.';
  const target = posix.join(folder, written);
  if (written === '' || posix.isAbsolute(written) || /^\.{1,2}(?:\/|$)/.test(target)) {
    throw refused(what, `has the link ${printable(name)}, which leads outside`);
  }
  return plainName(target, what);
}

/** What one of the two knows well, else that the bytes are not a tar: tar-stream's errors are bare. */
function explain(error: unknown, feeding: unknown, what: string): unknown {
  const known = [error, feeding].find((each) => each instanceof LandfallError);
  if (known) return known;
  return new LandfallError('IMAGE_SOURCE', `${what} is not a whole tar archive`, {
    hint: 'It is damaged or cut off, or of another format. Make it again.',
    cause: error,
  });
}

function refused(what: string, found: string): LandfallError {
  return new LandfallError('IMAGE_SOURCE', `${what} ${found}`, {
    hint: 'No tool writes images like that. Do not use it unless you know who made it.',
  });
}
