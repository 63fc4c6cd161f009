/** The result of a verification with one tool. */
export interface Check {
  readonly tool: string;
  readonly state: 'ok' | 'missing';
  /** What was verified, or what is missing. */
  readonly detail: string;
}
