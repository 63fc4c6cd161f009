/** A violation of a rule in a compose file, with the path of the value in the YAML. */
export interface StackProblem {
  readonly at: ReadonlyArray<string | number>;
  readonly message: string;
  readonly hint: string;
}
