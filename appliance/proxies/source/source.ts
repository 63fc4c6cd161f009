/** A path to a value: keys and positions. */
export type Path = readonly (string | number)[];

/** A parsed file with the lines of its values. Scalars of YAML are texts. */
export interface Source {
  readonly value: unknown;
  /** Returns the line of a key or item, 1-based; of its parent if it is missing. */
  lineOf(at: Path): number;
}
