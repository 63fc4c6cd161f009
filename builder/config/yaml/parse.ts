import { LandfallError } from '#contract/errors.ts';
import { decodeText } from './decode-text.ts';
import { parseYamlDocument } from './document.ts';
import { offsetOf } from './position.ts';

/** Where something is in a file, 1-based. */
interface Place {
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

/**
 * Parses the bytes of a YAML 1.2 file that a person wrote: one document, UTF-8, every syntax error at
 * once, every cost bounded.
 * @param path the name that problems carry
 * @throws LandfallError CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX
 */
export function parseYaml(bytes: Uint8Array, path: string): YamlFile {
  if (bytes.byteLength > maxYamlBytes) {
    throw new LandfallError('CONFIG_TOO_LARGE', `${path} has more than ${maxYamlBytes} bytes`, {
      hint: 'This is not a file that Landfall reads. Check the name.',
    });
  }
  const { document, lines } = parseYamlDocument(decodeText(bytes, path), path);
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  return {
    path,
    // The library's own bound on aliases is looser than the one that was applied already.
    value: document.toJS({ maxAliasCount: -1 }),
    locate: (at) => place(offsetOf(document, at, 'value')),
    locateKey: (at) => place(offsetOf(document, at, 'key')),
  };
}
