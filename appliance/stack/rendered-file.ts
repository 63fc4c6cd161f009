import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';

/** A file that the server makes for its own stack, for one site. */
export interface RenderedFile {
  /** Relative to `/var/lib/landfall/stack`. */
  readonly path: string;
  readonly content: string;
  /** Permission bits, such as 0o400. */
  readonly mode: number;
  /** The user in the container that reads it; also the group. */
  readonly owner: number;
}

const root = 0;

/** A file that holds secrets: only the component that reads it may read it. */
export function secretFile(path: string, content: string, reader: ComponentName): RenderedFile {
  return { path, content, mode: 0o400, owner: componentOf(reader).user ?? root };
}

/** A file that anybody may read. */
export function plainFile(path: string, content: string): RenderedFile {
  return { path, content, mode: 0o644, owner: root };
}
