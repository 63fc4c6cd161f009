/** A rule that the fields of a site break together. */
export interface SiteProblem {
  readonly at: ReadonlyArray<string | number>;
  readonly message: string;
  readonly hint: string;
}
