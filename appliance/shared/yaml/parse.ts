import { LandfallError } from '#contract/errors.ts';
import { decodeText } from './decode-text.ts';
import { type DocumentOptions, parseYamlDocument } from './document.ts';
import { offsetOf } from './position.ts';

/** A position in a file, 1-based. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** A YAML file as a plain value, with the positions of its keys and values. */
export interface YamlFile {
  readonly path: string;
  readonly value: unknown;
  /** Returns the position of the value at this path; if it is missing, of its parent. */
  locate(at: ReadonlyArray<PropertyKey>): Position;
  /** Returns the position of the key at this path, for unknown keys. */
  locateKey(at: ReadonlyArray<PropertyKey>): Position;
}

/** These files are written by hand; a larger file is the wrong file. */
export const maxYamlBytes = 256 * 1024;

/** How a file is read that users do not write by hand. */
interface YamlOptions extends DocumentOptions {
  /** Default: 256 KiB. */
  readonly maxBytes?: number;
}

/**
 * Parses a YAML 1.2 file: one document in UTF-8. Reports all syntax errors; time and memory are
 * bounded.
 * @param path file name for problems
 * @throws LandfallError CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX
 */
export function parseYaml(
  bytes: Uint8Array,
  path: string,
  { maxBytes = maxYamlBytes, ...options }: YamlOptions = {},
): YamlFile {
  if (bytes.byteLength > maxBytes) {
    throw new LandfallError('CONFIG_TOO_LARGE', `${path} is larger than ${maxBytes} bytes`, {
      hint: 'Check that this is the right file.',
    });
  }
  return parseYamlText(decodeText(bytes, path), path, options);
}

/**
 * Parses a text of YAML 1.2, whose size the caller has bounded.
 * @throws LandfallError CONFIG_SYNTAX
 */
export function parseYamlText(text: string, path: string, options: DocumentOptions): YamlFile {
  const { document, lines } = parseYamlDocument(text, path, options);
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  return {
    path,
    // `judgeNodes` already applied a stricter limit on aliases.
    value: document.toJS({ maxAliasCount: -1 }),
    locate: (at) => positionAt(offsetOf(document, at, 'value')),
    locateKey: (at) => positionAt(offsetOf(document, at, 'key')),
  };
}
