import type { Report, Section } from './report.ts';

/** The result of a comparison, for users and for programs. */
export interface Comparison {
  readonly different: boolean;
  readonly report: Report;
  readonly json: object;
}

/** Returns the sections that have rows. */
export function filled(sections: readonly Section[]): Section[] {
  return sections.filter(({ rows }) => rows.length > 0);
}
