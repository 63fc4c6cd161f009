import type { Finding, Lines } from './finding.ts';

/** A file that user-data writes. */
export interface ReadFile {
  readonly path: string;
  /** Undefined if it cannot be decoded. */
  readonly content: string | undefined;
  /** What else its entry says, such as `permissions`. */
  readonly attributes: ReadonlyMap<string, unknown>;
  readonly lines: Lines;
  /** The line with the first line of the content; undefined if the lines of both do not correspond. */
  readonly contentLine: number | undefined;
}

/** A key of cloud-config besides `write_files`. */
export interface Setting {
  readonly name: string;
  /** Aliases are texts such as `*name`. */
  readonly value: unknown;
  readonly lines: Lines;
}

/** What user-data does, as far as its form shows it. */
export interface ReadContent {
  readonly settings: readonly Setting[];
  readonly files: readonly ReadFile[];
  readonly findings: readonly Finding[];
}

export const noContent: ReadContent = { settings: [], files: [], findings: [] };

/** Returns the last file that is written to a path: the one that the server has. */
export function fileAt(content: ReadContent, path: string): ReadFile | undefined {
  return content.files.findLast((file) => file.path === path);
}
