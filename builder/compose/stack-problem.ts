/** A rule that a compose file breaks, with the path to the value in the YAML. */
export interface StackProblem {
  readonly at: ReadonlyArray<string | number>;
  readonly message: string;
  readonly hint: string;
}
