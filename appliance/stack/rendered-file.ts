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

/** Who reads what: the numbers that `compose.yaml` gives as `user`. */
export const uids = { root: 0, gateway: 101, lobe: 1001, tinyproxy: 57981, relay: 65532 } as const;

/** A file that holds secrets: its reader alone may read it. */
export function secretFile(path: string, content: string, owner: number): RenderedFile {
  return { path, content, mode: 0o400, owner };
}

/** A file that anybody may read. */
export function plainFile(path: string, content: string): RenderedFile {
  return { path, content, mode: 0o644, owner: uids.root };
}
