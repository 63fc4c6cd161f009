/** A path to a value: keys and positions. */
export type Path = readonly (string | number)[];

/** A position in a file, 1-based. Links have no column, because they are often in base64. */
export interface Position {
  readonly line: number;
  readonly column?: number | undefined;
}

/** A parsed file with the positions of its values. Scalars of YAML are texts. */
export interface Source {
  readonly value: unknown;
  /** Returns the position of a key or item; of its parent if it is missing. */
  positionOf(at: Path): Position;
}
