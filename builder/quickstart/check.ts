/** One way of verifying, and what came of it. */
export interface Check {
  readonly tool: string;
  readonly state: 'ok' | 'missing';
  /** What was proven, or what is missing. */
  readonly detail: string;
}
