/** A violated rule across the fields of a site. */
export interface SiteProblem {
  readonly at: ReadonlyArray<string | number>;
  readonly message: string;
  readonly hint: string;
}
