import { open } from 'node:fs/promises';
import { type Document, isMap, isNode, isPair, LineCounter, parseAllDocuments } from 'yaml';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { fileError } from '../files/file-error.ts';

/** Where something is in a file, 1-based. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A YAML file as a plain value that remembers where everything was. */
export interface YamlFile {
  readonly path: string;
  readonly value: unknown;
  /** The place of the value at this path; for a key that has none, of what contains it. */
  locate(at: ReadonlyArray<PropertyKey>): Place;
  /** The place of the key itself, for keys that should not be there. */
  locateKey(at: ReadonlyArray<PropertyKey>): Place;
}

/** People write these files by hand; larger ones are something else. */
export const maxYamlBytes = 256 * 1024;
/** Anchors are for not repeating oneself a few times, not for growing a kilobyte to a gigabyte. */
const maxAliases = 100;

/**
 * Reads a YAML 1.2 file that a person wrote: one document, UTF-8, every syntax error at once.
 * @throws LandfallError CONFIG_MISSING, CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX, FILE_ACCESS
 */
export async function readYaml(path: string): Promise<YamlFile> {
  const text = decode(await readBounded(path), path);
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    merge: true,
    uniqueKeys: true,
    strict: true,
    prettyErrors: false,
  });
  const [document] = 'empty' in documents ? [] : documents;
  if (!document) return { path, value: null, locate: () => start, locateKey: () => start };
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  refuseSyntax(path, Array.from(documents as Document[]), place);
  return {
    path,
    value: plainValue(document, path),
    locate: (at) => place(offsetOf(document, at, 'value')),
    locateKey: (at) => place(offsetOf(document, at, 'key')),
  };
}

const start: Place = { line: 1, column: 1 };

async function readBounded(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw fileError(cause, path);
    throw new LandfallError('CONFIG_MISSING', `there is no ${path}`, {
      hint: 'Write one with `landfall init`, or name another file.',
      cause,
    });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxYamlBytes + 1));
    if (bytesRead <= maxYamlBytes) return buffer.subarray(0, bytesRead);
    throw new LandfallError('CONFIG_TOO_LARGE', `${path} has more than ${maxYamlBytes} bytes`, {
      hint: 'This is not a file that Landfall reads. Check the name.',
    });
  } catch (error) {
    throw fileError(error, path);
  } finally {
    await file.close();
  }
}

function decode(bytes: Buffer, path: string): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw new LandfallError('CONFIG_ENCODING', `${path} begins with a byte order mark`, {
      hint: 'Save it as "UTF-8", not as "UTF-8 with BOM".',
    });
  }
  try {
    // UTF-16 is full of zero bytes, which UTF-8 allows and no text has.
    if (bytes.includes(0)) throw new TypeError('zero bytes');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new LandfallError('CONFIG_ENCODING', `${path} is not UTF-8 text`, {
      hint: 'Save it as UTF-8. Editors call it "UTF-8" under "Save with encoding".',
      cause,
    });
  }
}

/** @throws LandfallError CONFIG_SYNTAX with every error of the parser */
function refuseSyntax(
  path: string,
  documents: readonly Document[],
  place: (offset: number) => Place,
): void {
  const problems: Problem[] = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ message, code, pos }) => ({
      message: message.replace(/\s+/g, ' '),
      hint: hintsByCode[code],
      file: path,
      ...place(pos[0]),
    })),
  );
  const second = documents[1];
  if (second) {
    const message = 'a second document begins here';
    problems.push({
      message,
      hint: 'Keep one document; remove the line ---.',
      file: path,
      ...place(second.range?.[0] ?? 0),
    });
  }
  if (problems.length === 0) return;
  throw new LandfallError('CONFIG_SYNTAX', `${path} is not valid YAML`, {
    hint: 'Mend the places below, then run the command again.',
    problems,
  });
}

const hintsByCode: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'A key may stand in a mapping once; keep one of the two.',
  TAB_AS_INDENT: 'Indent with spaces; YAML does not allow tabs.',
  BAD_INDENT: 'Keys of one mapping begin in one column.',
  MISSING_CHAR: 'A bracket or quote is not closed.',
  TAG_RESOLVE_FAILED: 'Remove the tag; plain values are enough.',
};

/** Aliases are counted as they are followed, so a bomb ends after a hundred. */
function plainValue(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases });
  } catch (cause) {
    throw new LandfallError('CONFIG_SYNTAX', `${path} uses its anchors in a way that is refused`, {
      hint: 'Write the values out instead of repeating them with * and &.',
      cause,
    });
  }
}

/** The offset of the deepest node on the path that exists. */
function offsetOf(
  document: Document,
  at: ReadonlyArray<PropertyKey>,
  want: 'key' | 'value',
): number {
  for (let length = at.length; length > 0; length -= 1) {
    const path = at.slice(0, length);
    const parent = length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    if (want === 'key' || length < at.length) {
      const pair = isMap(parent)
        ? parent.items.find((item) => isPair(item) && String(item.key) === String(path.at(-1)))
        : undefined;
      if (pair && isNode(pair.key) && pair.key.range) return pair.key.range[0];
    }
    const node = document.getIn(path, true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}
