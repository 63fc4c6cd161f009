/** A violated rule that a schema does not express, with the path of its value. */
export interface FieldProblem {
  readonly at: ReadonlyArray<string | number>;
  readonly message: string;
  readonly hint?: string | undefined;
}
