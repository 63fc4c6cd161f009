/** The options of an action whose only option is `--json`. */
export interface JsonFlag {
  readonly json?: boolean;
}
