import type { Advisory } from './grype-report.ts';

/** The advisories of one component before and after an update. */
export interface AdvisoryChange {
  readonly component: string;
  readonly fixed: readonly Advisory[];
  readonly added: readonly Advisory[];
  /** Advisories of both images. */
  readonly remaining: readonly Advisory[];
}

/** Compares the advisories of two images of a component. */
export function compareAdvisories(
  component: string,
  before: readonly Advisory[],
  after: readonly Advisory[],
): AdvisoryChange {
  const keyOf = ({ id, package: name }: Advisory) => `${id} ${name}`;
  const [old, now] = [before, after].map((each) => new Set(each.map(keyOf)));
  return {
    component,
    fixed: before.filter((each) => !now?.has(keyOf(each))),
    added: after.filter((each) => !old?.has(keyOf(each))),
    remaining: after.filter((each) => old?.has(keyOf(each))),
  };
}
