import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';

/** A file of the stack that is generated on the server. */
export interface RenderedFile {
  /** Relative to `/var/lib/landfall/stack`. */
  readonly path: string;
  readonly content: string;
  /** Permission bits, such as 0o400. */
  readonly mode: number;
  /** Numeric user and group of the reader in the container. */
  readonly owner: number;
}

const root = 0;

/** Returns a file with secrets, readable for one component only. */
export function secretFile(path: string, content: string, reader: ComponentName): RenderedFile {
  return { path, content, mode: 0o400, owner: componentOf(reader).user ?? root };
}

/** Returns a world-readable file. */
export function plainFile(path: string, content: string): RenderedFile {
  return { path, content, mode: 0o644, owner: root };
}
